import { describe, expect, it } from "vitest";
import { startExample } from "./testing/example.ts";
import { PROVIDERS } from "./views/providers.ts";

describe("the session", () => {
  it.each(["/", "/return?ss_session_id=session-1", "/accounts/connection-1", "/receipts/connection-1"])(
    "is needed for %s",
    async (path) => {
      const { browser, mock } = startExample();
      expect(await browser().get(path)).toMatchObject({ status: 303, location: "/sign-in" });
      expect(mock.calls.all()).toEqual([]);
    },
  );

  it("is a signed cookie that scripts cannot read and that cannot be changed into another user's", async () => {
    const { browser } = startExample();
    const visitor = browser();
    const { cookie } = await visitor.post("/sign-in", { user: "user-mara" });
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect((await visitor.get("/")).status).toBe(200);
    visitor.tamper((text) => text.replace("user-mara", "user-yuki"));
    expect((await visitor.get("/")).location).toBe("/sign-in");
  });

  it("uses the user's id and the configured tenant as the scope, regardless of the request", async () => {
    const { browser, mock } = startExample();
    const visitor = await browser().signIn("user-jonas");
    await visitor.get("/?externalSubjectId=user-mara&tenantKey=other");
    mock.calls.assertCalledWith("connections", { scope: { tenantKey: "acme", externalSubjectId: "user-jonas" } });
  });

  it("ends with signing out, and is not started for someone unknown", async () => {
    const { browser } = startExample();
    const visitor = await browser().signIn();
    await visitor.post("/sign-out");
    expect((await visitor.get("/")).location).toBe("/sign-in");
    expect((await browser().post("/sign-in", { user: "user-nobody" })).status).toBe(400);
  });
});

describe("changes", () => {
  it.each(["/sign-in", "/connect", "/accounts/connection-1/refresh", "/accounts/connection-1/disconnect"])(
    "by a form of another site are refused at %s",
    async (path) => {
      const { browser, mock } = startExample();
      const visitor = await browser().signIn();
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "http://evil.test:4403", "sec-fetch-site": "same-origin" },
        { origin: "http://evil.test:4403", "content-type": "application/json" },
        {},
        { "sec-fetch-site": "cross-site" },
      ]) {
        expect((await visitor.post(path, { provider: "PROVIDER_A" }, headers)).status).toBe(403);
      }
      expect(mock.calls.all()).toEqual([]);
    },
  );
});

describe("the home page", () => {
  it("offers what the service says is available, and nothing else", async () => {
    const { mock, browser, link } = startExample();
    await link();
    mock.registration("PROVIDER_B").pause();
    mock.registration("PROVIDER_C").disable();
    const { text } = await (await browser().signIn()).get("/");
    expect(text.match(/Not available now/g)).toHaveLength(2);
    expect(text).toContain("Slow trains");
  });

  it("keeps known accounts during an outage, and shows every action as unavailable", async () => {
    const { mock, browser, link } = startExample();
    await link();
    const visitor = await browser().signIn();
    await visitor.get("/");
    mock.faults.always("*", { code: "UPSTREAM_UNAVAILABLE" });
    const { status, text } = await visitor.get("/");
    expect(status).toBe(200);
    expect(text).toContain("Slow trains");
    expect(text).toContain("1 account linked.");
    expect(text).toContain("Social Connect does not answer right now.");
    expect(text).toContain("You see what was known at 15 Jun 2026, 12:00 UTC. Your accounts are still linked.");
    expect(text.match(/Not available now/g)).toHaveLength(PROVIDERS.length);
  });

  it("gives up on a service that hangs after its short timeout", async () => {
    const { mock, browser } = startExample({ timeoutMs: 20 });
    mock.faults.always("connections", { delay: "1h" });
    const { status, text } = await (await browser().signIn()).get("/");
    expect(status).toBe(200);
    expect(text).toContain("Your accounts could not be loaded. They are still linked.");
    expect(text).not.toContain("Link an account to see its posts here.");
  });

  it("keeps known accounts while the client is disabled", async () => {
    const { mock, browser, link } = startExample();
    await link();
    const visitor = await browser().signIn();
    await visitor.get("/");
    mock.application.disable();
    const { text } = await visitor.get("/");
    expect(text).toContain("Slow trains");
    expect(text).toContain("does not accept requests of this application right now");
  });

  it("drops a profile that was read more than 30 days ago", async () => {
    const { mock, browser, link } = startExample();
    await link();
    const visitor = await browser().signIn();
    await visitor.get("/");
    mock.faults.always("connections", { status: 503 });
    await mock.clock.advance("31d");
    const { text } = await (await browser().signIn()).get("/");
    expect(text).not.toContain("Slow trains");
    expect(text).toContain("1 account linked.");
  });

  it("allows its own scripts only, nothing inline and nothing foreign, and is not stored", async () => {
    const { browser } = startExample();
    const { headers } = await (await browser().signIn()).get("/");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' http://127.0.0.1:4401",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    const { text } = await (await browser().signIn()).get("/");
    expect(text).not.toMatch(/<script>|<style|style=|onclick=|javascript:/);
  });
});

it("the style sheet, the script and the health check need no session", async () => {
  const { browser } = startExample();
  expect((await browser().get("/reload.js")).headers.get("content-type")).toContain("text/javascript");
  expect((await browser().get("/style.css")).headers.get("content-type")).toContain("text/css");
  expect((await browser().get("/healthz")).text).toBe("ok");
});
