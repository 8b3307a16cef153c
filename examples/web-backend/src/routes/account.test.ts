import { describe, expect, it } from "vitest";
import { startExample } from "../testing/example.ts";

describe("the account page", () => {
  async function linked(account?: string) {
    const example = startExample();
    const id = await example.link(account);
    const visitor = await example.browser().signIn();
    /** Reads the posts of the last days, and returns the page. */
    const refresh = async (days: string) => {
      await visitor.post(`/accounts/${id}/refresh`, { days });
      await example.mock.settle();
      return visitor.get(`/accounts/${id}?days=${days}`);
    };
    return { ...example, id, visitor, refresh };
  }

  it("shows metrics unchanged, and the reason of a missing one, never 0", async () => {
    const { mock, id, refresh } = await linked("hidden-likes");
    await mock.settle();
    mock.connection(id).publish({ metrics: { VIEWS: "98765432109876543210", COMMENTS: "0" } });
    const { text } = await refresh("7");
    expect(text).toContain("98,765,432,109,876,543,210");
    expect(text).toMatch(/Likes<\/dt><dd title="hidden">/);
    expect(text).toMatch(/Comments<\/dt><dd title="0">0</);
    expect(text).toMatch(/Shares<\/dt><dd title="not offered">/);
  });

  it("says whether the time span is complete", async () => {
    const { mock, id, visitor, refresh } = await linked();
    await mock.settle();
    expect((await visitor.get(`/accounts/${id}`)).text).toContain("Every post of this time span is here");
    expect((await visitor.get(`/accounts/${id}?days=90`)).text).toContain("has not been read from the provider yet");
    expect((await refresh("90")).text).toContain("Every post of this time span is here");
  });

  it("shows a picture only of posts that have one", async () => {
    const { text } = await (await linked("slow-trains")).refresh("7");
    expect(text).toContain('class="card post"');
    expect(text).not.toContain('class="thumb"');
    const pictured = startExample();
    const id = await pictured.link("street-baker", "PROVIDER_B");
    await pictured.mock.settle();
    const page = await (await pictured.browser().signIn()).get(`/accounts/${id}`);
    expect(page.text).toContain('<div class="thumb"><img src="http');
  });

  it("escapes markup in the provider's strings", async () => {
    const { mock, refresh } = await linked("hostile-text");
    await mock.settle();
    const { text } = await refresh("90");
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script>");
  });

  it("pages to older posts with the cursor and exactly the same window", async () => {
    const { mock, visitor, refresh } = await linked("thousand-posts");
    await mock.settle();
    const { text } = await refresh("7");
    const href = /href="([^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    mock.calls.clear();
    await visitor.get(href);
    const after = new URL(href, mock.baseUrl).searchParams.get("after");
    mock.calls.assertCalledWith("content", { window: { after } });
    const { publishedAfter, publishedBefore } = Object(mock.calls.last("content")?.arguments).window;
    expect(href).toContain(`from=${encodeURIComponent(publishedAfter)}&to=${encodeURIComponent(publishedBefore)}`);
  });

  it("falls back to a fresh window if the address has an invalid one", async () => {
    const { mock, id, visitor } = await linked();
    expect((await visitor.get(`/accounts/${id}?from=x&to=<script>&days=1000`)).status).toBe(200);
    mock.calls.assertCalledWith("content", { window: { publishedBefore: "2026-06-16T00:00:00.000Z" } });
  });

  it("keeps the name and the last read of an account whose grant has ended, and offers to reconnect", async () => {
    const { mock, id, visitor } = await linked();
    await mock.settle();
    const before = await visitor.get(`/accounts/${id}`);
    const lastRead = /Last read [^<]+? UTC/.exec(before.text)?.[0] ?? "";
    expect(lastRead).not.toBe("");
    mock.connection(id).loseGrant();
    for (const path of [`/accounts/${id}`, "/"]) {
      const { status, text } = await visitor.get(path);
      expect(status).toBe(200);
      expect(text).toContain("Slow trains");
      expect(text).toContain(lastRead);
      expect(text).toContain(`name="connectionId" value="${id}"`);
      expect(text).toContain(">Reconnect<");
    }
  });

  it("keeps the account during an outage, without posts", async () => {
    const { mock, id, visitor } = await linked();
    await visitor.get(`/accounts/${id}`);
    mock.faults.always("*", { status: 503 });
    const { status, text } = await visitor.get(`/accounts/${id}`);
    expect(status).toBe(200);
    expect(text).toContain("Slow trains");
    expect(text).toContain("Your accounts are still linked.");
    expect(text).not.toContain("Nothing here");
  });

  it("that is not known yet is an error during an outage", async () => {
    const { mock, id, visitor } = await linked();
    mock.faults.always("*", { status: 503 });
    expect((await visitor.get(`/accounts/${id}`)).status).toBe(503);
  });

  it("says that posts are read for the first time, and shows no empty list", async () => {
    const { mock, id, visitor } = await linked();
    const first = await visitor.get(`/accounts/${id}`);
    expect(first.text).toContain("Reading your posts for the first time");
    expect(first.text).not.toContain("Nothing here");
    await mock.settle();
    const read = await visitor.get(`/accounts/${id}`);
    expect(read.text).not.toContain("for the first time");
    expect(read.text).toContain('class="card post"');
  });

  it("of another user is not found", async () => {
    const { id, browser } = await linked();
    const other = await browser().signIn("user-jonas");
    expect((await other.get(`/accounts/${id}`)).status).toBe(404);
  });

  it("reloads until the first scan has ended, and never without the permission to list posts", async () => {
    const awaited = await linked();
    const { text } = await awaited.visitor.get(`/accounts/${awaited.id}`);
    expect(text).toContain(`http-equiv="refresh" content="3;url=/accounts/${awaited.id}?days=7"`);
    const profileOnly = startExample();
    const id = await profileOnly.link("partial-scopes", "PROVIDER_B");
    const page = await (await profileOnly.browser().signIn()).get(`/accounts/${id}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("http-equiv");
  });

  it("shows the account without posts if only the posts cannot be read", async () => {
    const { mock, id, visitor } = await linked();
    mock.faults.always("content", { code: "UPSTREAM_UNAVAILABLE" });
    const { status, text } = await visitor.get(`/accounts/${id}`);
    expect(status).toBe(200);
    expect(text).toContain("could not be read just now");
  });
});

describe("refreshing", () => {
  async function refreshed() {
    const example = startExample();
    const id = await example.link();
    await example.mock.settle();
    const visitor = await example.browser().signIn();
    const answer = await visitor.post(`/accounts/${id}/refresh`, { days: "90" });
    const page = async () => (await visitor.get(`/accounts/${id}?days=90`)).text;
    return { ...example, id, visitor, answer, page };
  }

  it("scans the shown window, and pages follow the scan until it has ended", async () => {
    const { mock, id, answer, page } = await refreshed();
    expect(answer).toMatchObject({ status: 303, location: `/accounts/${id}?days=90` });
    // Until the service has read all, as long as the page waits.
    mock.faults.times(2, "syncJob", { status: 503 });
    expect(await page()).toMatch(/http-equiv="refresh".*Reading…/s);
    await mock.settle();
    const ended = await page();
    expect(ended).toContain("Every post of this time span is here");
    expect(ended).not.toMatch(/http-equiv|Reading/);
    // The service calls a window complete only if exactly that window was scanned.
    const { window } = Object(mock.calls.of("requestRefresh")[0]?.arguments);
    mock.calls.assertCalledWith("content", { window });
  });

  it("shows why a scan failed or cannot be followed", async () => {
    const failed = await refreshed();
    const scan = failed.mock.jobs(failed.id).find(({ kind, status }) => kind === "SCAN" && status === "QUEUED");
    failed.mock.job(scan?.id ?? "").fail("UPSTREAM_RATE_LIMITED");
    expect(await failed.page()).toContain("The provider asks to slow down");
    const broken = await refreshed();
    broken.mock.faults.always("syncJob", { code: "NOT_FOUND" });
    expect(await broken.page()).toContain("could not be followed to its end (NOT_FOUND)");
  });

  it("says that another time span is being read", async () => {
    const { link, browser } = startExample();
    const id = await link();
    // The first scan, of 7 days, is still queued.
    const { status, text } = await (await browser().signIn()).post(`/accounts/${id}/refresh`, { days: "90" });
    expect(status).toBe(409);
    expect(text).toContain("Already reading");
  });
});

describe("a post", () => {
  async function shown() {
    const example = startExample();
    const id = await example.link();
    await example.mock.settle();
    const visitor = await example.browser().signIn();
    const post = example.mock.connection(id).publish({ title: "Night ferry", metrics: { VIEWS: "100" } });
    await visitor.post(`/accounts/${id}/refresh`, { days: "90" });
    await example.mock.settle();
    return { ...example, visitor, post, path: `/accounts/${id}/posts/${encodeURIComponent(post.id)}` };
  }

  it("has its numbers, and reads them again", async () => {
    const { mock, visitor, post, path } = await shown();
    expect((await visitor.get(path)).text).toContain("Night ferry");
    expect(await visitor.post(`${path}/refresh`)).toMatchObject({ status: 303, location: path });
    mock.calls.assertCalledWith("requestRefresh", { providerContentId: post.id });
  });

  it("says why its numbers could not be read, and that one is not known", async () => {
    const { mock, visitor, path } = await shown();
    mock.faults.always("syncJob", { code: "NOT_FOUND" });
    expect((await visitor.post(`${path}/refresh`)).status).toBe(404);
    expect((await visitor.get(`${path}-unknown`)).text).toContain("has not been read from the provider");
  });
});
