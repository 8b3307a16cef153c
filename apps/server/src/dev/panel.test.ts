import { signIn } from "@social-connect/simulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DevFile } from "./devFile.ts";
import { DevPlace } from "./testing/devPlace.ts";

let place: DevPlace;
let dev: DevFile;

// The first start on a machine also builds the panel.
beforeAll(async () => {
  place = await DevPlace.make(undefined, { hasPanel: true });
  ({ dev } = await place.start());
}, 180_000);
afterAll(() => place?.clear());

test("the panel is served from its sources: page, code and style", async () => {
  const answer = await fetch(`${dev.admin.panelUrl}/clients`);
  expect(answer.status).toBe(200);
  const page = await answer.text();
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "none";
  expect(page).toContain(`nonce="${nonce}"`);
  const files = [...page.matchAll(/(?:src|href)="(\/panel\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(files.filter((path) => path.endsWith(".js"))).not.toEqual([]);
  expect(files.filter((path) => path.endsWith(".css"))).not.toEqual([]);
  for (const path of files) {
    const file = await fetch(new URL(path, dev.admin.host), { headers: { "accept-encoding": "br" } });
    expect([path, file.status]).toEqual([path, 200]);
    await file.body?.cancel();
  }
});

test("the admin of dev.json can sign in at the issuer", async () => {
  const begun = await fetch(`${dev.admin.panelUrl}/sign-in`, { redirect: "manual" });
  const back = await signIn(begun.headers.get("location") ?? "", { person: "admin" });
  const landed = await fetch(back, { headers: { cookie: cookiesOf(begun) }, redirect: "manual" });
  expect([landed.status, landed.headers.get("location")]).toEqual([303, dev.admin.panelUrl]);
  const session = await fetch(`${dev.admin.panelUrl}/session`, { headers: { cookie: cookiesOf(landed) } });
  expect(await session.json()).toMatchObject({ email: dev.admin.email });
  // The control: without the cookie the session is refused.
  expect((await fetch(`${dev.admin.panelUrl}/session`)).status).toBe(401);
});

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}
