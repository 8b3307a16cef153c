import { describe, expect, it } from "vitest";
import { connection, contentPage, job, post, refusal, startExample } from "../testing/fakeService.ts";

describe("the account page", () => {
  const metric = (name: string, fields: object) => ({
    name,
    value: null,
    availability: "AVAILABLE",
    reason: null,
    sourceField: null,
    observedAt: "2026-03-01T11:00:00.000Z",
    ...fields,
  });

  async function accountPage(answers: Parameters<typeof startExample>[0], path = "/accounts/connection-1") {
    const example = startExample(answers);
    return { ...example, answer: await (await example.browser().signIn()).get(path) };
  }

  it("shows metrics unchanged, and the reason of a missing one, never 0", async () => {
    const metrics = [
      metric("VIEWS", { value: "98765432109876543210" }),
      metric("LIKES", { availability: "UNAVAILABLE", reason: "METRIC_HIDDEN" }),
      metric("COMMENTS", { value: "0" }),
      metric("SHARES", { availability: "UNSUPPORTED", reason: "METRIC_NOT_OFFERED" }),
    ];
    const { answer } = await accountPage({ content: contentPage([post({ metrics })]) });
    expect(answer.text).toContain("98,765,432,109,876,543,210");
    expect(answer.text).toMatch(/Likes<\/dt><dd title="hidden">/);
    expect(answer.text).toMatch(/Comments<\/dt><dd title="0">0</);
    expect(answer.text).toMatch(/Shares<\/dt><dd title="not offered">/);
  });

  it("says whether the time span is complete", async () => {
    const whole = await accountPage({});
    expect(whole.answer.text).toContain("Every post of this time span is here");
    const part = contentPage([], { completeForWindow: false, incompleteReason: "NOT_SCANNED" });
    const { answer } = await accountPage({ content: part });
    expect(answer.text).toContain("has not been read from the provider yet");
  });

  it("escapes what a provider gives, and links and shows only web addresses", async () => {
    const evil = `<img src=x onerror=alert(1)>"'`;
    const posts = [post({ title: evil, thumbnailUrl: "javascript:alert(1)", canonicalUrl: "javascript:alert(1)" })];
    const { answer } = await accountPage({
      content: contentPage(posts),
      connection: connection({ profile: null, providerAccountId: evil }),
    });
    expect(answer.text).not.toContain("<img src=x");
    expect(answer.text).not.toContain("javascript:");
    expect(answer.text).toContain("&lt;img src=x");
  });

  it("pages to older posts with the cursor and exactly the same window", async () => {
    const page = contentPage([post()], { hasNextPage: true, endCursor: "cur/sor+1" });
    const example = startExample({ content: page });
    const visitor = await example.browser().signIn();
    const { text } = await visitor.get("/accounts/connection-1?days=7");
    const href = /href="([^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    await visitor.get(href);
    const windows = example.calls.flatMap((call) =>
      call.operation === "content" ? [Object(call.variables.window)] : [],
    );
    expect(windows[1]).toEqual({ ...windows[0], after: "cur/sor+1" });
  });

  it("falls back to a fresh window when the address names none that is one", async () => {
    const { answer, calls } = await accountPage({}, "/accounts/connection-1?from=x&to=<script>&days=1000");
    expect(answer.status).toBe(200);
    expect(calls.at(-1)?.variables.window).toMatchObject({ publishedBefore: "2026-03-01T12:00:00.000Z" });
  });

  it("leads to connecting again when the grant has ended", async () => {
    const { answer } = await accountPage({ connection: refusal("RECONNECT_REQUIRED") });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('name="connectionId" value="connection-1"');
  });

  it("of an account that is not this user's is not found", async () => {
    const { answer } = await accountPage({ connection: refusal("NOT_FOUND") });
    expect(answer.status).toBe(404);
  });

  it("loads itself again while the first scan is awaited, and waits for none that will not come", async () => {
    const listed = [{ capability: "CONTENT_LIST", availability: "AVAILABLE", reason: null }] as const;
    const awaited = await accountPage({ connection: connection({ syncStatus: "PENDING", capabilities: [...listed] }) });
    expect(awaited.answer.text).toContain('http-equiv="refresh" content="3;url=/accounts/connection-1?days=30"');
    const { answer } = await accountPage({ connection: connection({ syncStatus: "PENDING", capabilities: [] }) });
    expect(answer.text).not.toContain("http-equiv");
  });

  it("shows the account without posts if only the posts cannot be read", async () => {
    const { answer } = await accountPage({ content: refusal("UPSTREAM_UNAVAILABLE") });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("could not be read just now");
  });
});

describe("refreshing", () => {
  it("starts a scan of the shown window and follows it to its end after the page was answered", async () => {
    const example = startExample({
      requestRefresh: job("QUEUED"),
      syncJob: job("SUCCEEDED", { completeForWindow: true }),
    });
    const visitor = await example.browser().signIn();
    const answer = await visitor.post("/accounts/connection-1/refresh", { days: "90" });
    expect(answer).toMatchObject({ status: 303, location: "/accounts/connection-1?days=90" });
    await example.scans.idle();
    const page = await visitor.get("/accounts/connection-1");
    expect(page.text).toContain("Every post of this time span is here");
    expect(page.text).not.toContain("Reading");
    // What was scanned is what is shown, to the millisecond: only so can the service call it complete.
    const [scanned] = example.calls.filter((call) => call.operation === "requestRefresh");
    const shown = example.calls.findLast((call) => call.operation === "content");
    expect(shown?.variables.window).toMatchObject(Object(scanned?.variables.window));
  });

  it("shows why a scan failed or cannot be followed", async () => {
    const failed = startExample({
      requestRefresh: job("QUEUED"),
      syncJob: job("FAILED", { errorCode: "UPSTREAM_RATE_LIMITED" }),
    });
    const broken = startExample({ requestRefresh: job("QUEUED"), syncJob: refusal("NOT_FOUND") });
    for (const [example, text] of [
      [failed, "The provider asks to slow down"],
      [broken, "could not be followed to its end (NOT_FOUND)"],
    ] as const) {
      const visitor = await example.browser().signIn();
      await visitor.post("/accounts/connection-1/refresh", { days: "30" });
      await example.scans.idle();
      expect((await visitor.get("/accounts/connection-1")).text).toContain(text);
    }
  });

  it("says that another time span is being read", async () => {
    const { browser } = startExample({ requestRefresh: refusal("SYNC_WINDOW_BUSY") });
    const { status, text } = await (await browser().signIn()).post("/accounts/connection-1/refresh", { days: "90" });
    expect(status).toBe(409);
    expect(text).toContain("Already reading");
  });
});
