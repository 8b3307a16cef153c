import { rawRequest } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveWorkingCopy } from "../testing/builtSite.ts";

let site: Awaited<ReturnType<typeof serveWorkingCopy>>;

beforeAll(async () => {
  site = await serveWorkingCopy();
});
afterAll(() => site?.close());

test("the documentation server prints a URL that browsers can open, and responds under the names of this machine only", async () => {
  const status = async (host: string) =>
    (await rawRequest(site.url, { headers: { host, accept: "text/html" } })).status;
  expect(await status(new URL(site.url).host)).toBe(200);
  expect(await status("localhost:80")).toBe(200);
  for (const host of ["evil.test", "127.0.0.1.evil.test", "evil-localhost"])
    expect([host, await status(host)]).toEqual([host, 403]);
});

test("pages of other origins cannot read the documentation server", async () => {
  for (const origin of ["https://evil.test", "http://localhost:3000", "http://evil.localhost", "null"]) {
    const { headers } = await rawRequest(site.url, { headers: { origin, accept: "text/html" } });
    expect([origin, headers["access-control-allow-origin"]]).toEqual([origin, undefined]);
  }
});
