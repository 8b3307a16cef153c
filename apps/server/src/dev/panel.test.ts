import { signIn } from "@social-connect/simulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookiesOf, locationOf, visit } from "../http/testing/visits.ts";
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
  const begun = await visit(`${dev.admin.panelUrl}/sign-in`);
  const back = await signIn(locationOf(begun), { person: "admin" });
  const landed = await visit(back, cookiesOf(begun));
  expect([landed.status, locationOf(landed)]).toEqual([303, dev.admin.panelUrl]);
  const session = await visit(`${dev.admin.panelUrl}/session`, cookiesOf(landed));
  expect(await session.json()).toMatchObject({ email: dev.admin.email });
  // The control: without the cookie the session is refused.
  expect((await fetch(`${dev.admin.panelUrl}/session`)).status).toBe(401);
});
