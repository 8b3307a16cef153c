import { HOSTILE_PAGES, launchBrowser, rawRequest } from "@social-connect/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { fetchHandler } from "../transports/routeHandlers.ts";
import { type ServedMock, type ServeOptions, serveMock } from "./serve.ts";

const START = "2026-06-15T12:00:00.000Z";
const ADVANCE = { method: "POST", body: '{"by": "1h"}' };
let served: ServedMock;

beforeAll(async () => {
  served = await serveMock();
});
afterAll(() => served.close());

const at = (path: string) => served.url + path;
const now = () => served.mock.clock.date().toISOString();

describe("the control API", () => {
  test.each(HOSTILE_PAGES)("is not available to a page: %s", async (_, headers) => {
    const { status, text } = await rawRequest(at("/__mock/clock/advance"), { ...ADVANCE, headers });
    expect([status, JSON.parse(text)]).toEqual([403, { error: expect.any(String) }]);
    expect(now()).toBe(START);
  });

  test("is available to programs with any type of body", async () => {
    const before = served.mock.clock.date().getTime();
    const types = ["application/json", "application/x-www-form-urlencoded", "text/plain;charset=UTF-8"];
    for (const type of types) {
      const headers = { "content-type": type };
      expect((await rawRequest(at("/__mock/clock/advance"), { ...ADVANCE, headers })).status).toBe(200);
    }
    expect((await rawRequest(at("/__mock/clock"), { headers: { host: "localhost:1" } })).status).toBe(200);
    expect(served.mock.clock.date().getTime() - before).toBe(types.length * 3_600_000);
    served.mock.reset();
  });

  test("is not available in a route of an application under another name, unless it is allowed", async () => {
    const mock = createConsumerMock({ baseUrl: "http://localhost:3000/mock" });
    const advance = (host: string, options = {}, headers = {}) =>
      fetchHandler(mock, options)(new Request(`http://${host}/mock/__mock/clock/advance`, { ...ADVANCE, headers }));
    expect((await advance("evil.test:3000")).status).toBe(403);
    expect((await advance("localhost:3000", {}, { origin: "http://evil.test" })).status).toBe(403);
    expect(mock.clock.date().toISOString()).toBe(START);
    expect((await advance("app.test:3000", { allowedHosts: ["app.test"] })).status).toBe(200);
    expect((await advance("localhost:3000")).status).toBe(200);
  });
});

describe("every path of a served mock", () => {
  const PATHS = ["/", "/graphql", "/api/admin/graphql", "/schema.graphql", "/__mock/admin", "/__mock/snapshot"];

  test.each(PATHS)("is only available under an own host name: %s", async (path) => {
    const refused = await rawRequest(at(path), { headers: { host: "evil.test" } });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("evil.test is not a host name")]);
    expect((await rawRequest(at(path))).status).not.toBe(403);
  });

  test("the refusal names the option, and the option allows this name only", async () => {
    const { text } = await rawRequest(at("/graphql"), { headers: { host: "mock:4010" } });
    expect(text).toContain("--allowed-host");
    const named = await serveMock({ allowedHosts: ["mock", "[fd00::1]"] });
    const status = async (host: string) =>
      (await rawRequest(`${named.url}/__mock/clock`, { headers: { host } })).status;
    const hosts = ["mock", "mock:4010", "MOCK", "[fd00::1]:80", "evil.mock", "mock.evil.test", "10.0.0.1"];
    expect(await Promise.all(hosts.map(status))).toEqual([200, 200, 200, 200, 403, 403, 403]);
    await named.close();
  });

  test.each<[string, ServeOptions]>([
    ["a port", { allowedHosts: ["mock:4010"] }],
    ["a URL", { allowedHosts: ["http://mock"] }],
    ["no name", { allowedHosts: [""] }],
  ])("an allowed host with %s is refused at the start", async (_, options) => {
    await expect(serveMock(options)).rejects.toThrow("is not a host name. Use the form mock.example.test");
  });
});

describe("a page in a browser", () => {
  test("cannot control the mock or read its keys under a rebound name or from another origin", async () => {
    // The browser resolves this name to the mock, as after a change of the attacker's DNS entry.
    const browser = await launchBrowser({ args: ["--host-resolver-rules=MAP evil.test 127.0.0.1"] });
    const { port } = new URL(served.url);
    const page = await browser.newPage();
    const attack = (origin: string) =>
      page.evaluate(
        async ([base = "", body = ""]) => {
          const send = async (path: string, init: RequestInit) =>
            fetch(base + path, init).then(
              async (response) => [response.status, await response.text()] as const,
              () => [0, ""] as const,
            );
          const json = { "content-type": "application/json" };
          return [
            await send("/__mock/clock/advance", { method: "POST", body }),
            await send("/__mock/clock/advance", { method: "POST", body, mode: "no-cors" }),
            await send("/__mock/clock/advance", { method: "POST", body, headers: json }),
            await send("/__mock/admin", {}),
          ];
        },
        [origin, ADVANCE.body],
      );
    await page.goto(`http://evil.test:${port}/`);
    for (const [status, text] of await attack(`http://evil.test:${port}`)) {
      expect([status, text]).toEqual([403, expect.stringContaining("evil.test is not a host name")]);
    }
    // Pages of another mock have another origin, of the same site or of a different one. This path has no content security policy.
    const other = await serveMock();
    for (const name of ["127.0.0.1", "localhost"]) {
      await page.goto(`${other.url.replace("127.0.0.1", name)}/schema.graphql`);
      const attacked = await attack(served.url);
      // A browser sends the second request and hides its response.
      expect(attacked.map(([status]) => status)).toEqual([0, 0, 0, 0]);
    }
    await other.close();
    expect(now()).toBe(START);
    // The control: a page of the same origin.
    await page.goto(at("/schema.graphql"));
    expect((await attack(served.url)).map(([status]) => status)).toEqual([200, 200, 200, 200]);
    expect(now()).toBe("2026-06-15T15:00:00.000Z");
    served.mock.reset();
    await browser.close();
  });
});
