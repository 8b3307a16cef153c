/** The code of the guides on errors and on lists of posts, run: each `#region`, also of `snippets/explainError.ts`, is copied into one of them by `pnpm generate`. */
import { type ContentItem, TimeoutError } from "@social-connect/sdk";
import { afterEach, expect, it, vi } from "vitest";
import { explain } from "./snippets/explainError.ts";
import { fakeClient, KEY, notConnected, refusal } from "./testing/fakeApi.ts";
import { connection, connectResult, contentPage, job, post } from "./testing/samples.ts";

const connectionId = "connection-1";

/** The lines that the guide's handler logs, by level. */
function captureLog() {
  const lines: { level: string; text: string }[] = [];
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((text: string) => void lines.push({ level, text }));
  return lines;
}

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ["NOT_FOUND", {}, { status: 404 }, []],
  ["RECONNECT_REQUIRED", {}, { status: 409, button: "reconnect" }, []],
  ["AUTHORIZATION_SUSPENDED", {}, { status: 409 }, []],
  ["DISCONNECT_IN_PROGRESS", {}, { status: 409 }, []],
  ["CAPABILITY_UNAVAILABLE", {}, { status: 409 }, []],
  ["RATE_LIMITED", { retryAfterSeconds: 90 }, { status: 429, text: "Please try again in 90 seconds." }, []],
  [
    "UNAUTHENTICATED",
    {},
    { status: 500, text: expect.stringContaining("99999999-8888-4777-8666-555555555555") },
    ["error"],
  ],
  ["FORBIDDEN", {}, { status: 500 }, ["error"]],
  ["BAD_USER_INPUT", {}, { status: 500 }, ["error"]],
  ["UPSTREAM_UNAVAILABLE", {}, { status: 503, button: "retry" }, ["warn"]],
  ["A_LATER_CODE", {}, { status: 503, button: "retry" }, ["warn"]],
])("errors: a page for %s", async (code, extensions, shown, levels) => {
  const { user } = fakeClient({ connection: refusal(code, extensions) }, { retries: 0 });
  const lines = captureLog();
  expect(await user.connection(connectionId).catch(explain)).toMatchObject(shown);
  expect(lines.map(({ level }) => level)).toEqual(levels);
  for (const { text } of lines) expect(JSON.parse(text)).toMatchObject({ code, operation: "connection" });
});

const ownMistake = (code: string) => ({ status: 500, text: `Sorry, that did not work. (${code})` });
it.each([
  ["TRANSPORT_FAILED", notConnected(), KEY, { status: 503, button: "retry" }, "warn"],
  ["WRONG_ADDRESS", new Response("", { status: 404 }), KEY, ownMistake("WRONG_ADDRESS"), "error"],
  ["MISCONFIGURED", {}, () => Promise.reject(new Error()), ownMistake("MISCONFIGURED"), "error"],
])("errors: a page for %s, which has no response of the service", async (code, connection, key, shown, level) => {
  const { user } = fakeClient({ connection }, { retries: 0, key });
  const lines = captureLog();
  expect(await user.connection(connectionId).catch(explain)).toMatchObject(shown);
  expect(lines).toEqual([{ level, text: expect.stringContaining(code) }]);
});

it("errors: no page for an error that is not of the SDK", () => {
  expect(() => explain(new RangeError("own"))).toThrow("own");
});

it.each([
  ["EXCHANGING", "reload", { status: 202, text: "One moment…" }],
  ["DENIED", "show", { status: 200, text: "Nothing was linked: USER_DENIED" }],
])("errors: a return page of an attempt that is %s", async (status, _what, expected) => {
  const { user, clock } = fakeClient({ connectSessionResult: connectResult(status, { resultCode: "USER_DENIED" }) });
  const attemptId = "session-1";
  const deadline = clock.at(5_000);

  // #region error-timeout
  async function returnPage(): Promise<{ status: number; text: string }> {
    try {
      const result = await user.connectResult(attemptId).wait({ deadline });
      return { status: 200, text: result.connectionId ? "Linked." : `Nothing was linked: ${result.resultCode}` };
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
      return { status: 202, text: "One moment…" }; // the page loads itself again
    }
  }
  // #endregion error-timeout

  expect(await returnPage()).toEqual(expected);
});

/** Posts of a year, one each two days, the newest first; photos and videos alternate. */
function yearOfPosts(newest: number): ContentItem[] {
  return Array.from({ length: 180 }, (_, index) =>
    post(`${index}`, {
      kind: index % 2 === 0 ? "IMAGE" : "VIDEO",
      publishedAt: new Date(newest - index * 2 * 86_400_000).toISOString(),
    }),
  );
}

/** A client of a service with these posts, in pages of as many as the call asks for. */
function postsClient(posts: readonly ContentItem[]) {
  return fakeClient({
    requestRefresh: job("SUCCEEDED", { completeForWindow: true }),
    content: ({ body }) => {
      const { first, after, publishedAfter, publishedBefore } = Object(body.variables["window"]);
      const inside = posts.filter(
        ({ publishedAt }) => `${publishedAt}` >= publishedAfter && `${publishedAt}` < publishedBefore,
      );
      const from = Number(after ?? 0);
      return contentPage(inside.slice(from, from + first), from + first < inside.length ? `${from + first}` : null);
    },
  });
}

it("lists: only videos, a page at a time, older windows, and several accounts in one list", async () => {
  const newest = fakeClient({}).clock.now();
  const posts = yearOfPosts(newest);
  const { user, social, api } = postsClient(posts);
  const window = social.recentWindow(90);

  // #region list-kind
  const videos: ContentItem[] = [];
  for await (const post of user.content(connectionId, social.recentWindow(90))) {
    if (post.kind === "VIDEO") videos.push(post);
    if (videos.length === 12) break; // reads no further page
  }
  // #endregion list-kind

  const inWindow = posts.filter(({ publishedAt }) => `${publishedAt}` >= `${window.publishedAfter}`);
  expect(videos).toEqual(inWindow.filter(({ kind }) => kind === "VIDEO").slice(0, 12));
  expect(api.of("content")).toHaveLength(1);

  // #region list-page
  /** `query` is that of the request: empty for the first page, `more` of the page before for the next. */
  async function pageOfPosts(query: URLSearchParams) {
    const [after, from, to] = ["after", "from", "to"].map((name) => query.get(name) ?? undefined);
    const window = from && to ? { publishedAfter: from, publishedBefore: to } : social.recentWindow(90);
    const { items, pageInfo } = await user.content(connectionId, window, { pageSize: 20 }).page(after);
    const { publishedAfter, publishedBefore } = window;
    const more = { after: pageInfo.endCursor ?? "", from: `${publishedAfter}`, to: `${publishedBefore}` };
    return { items, more: pageInfo.hasNextPage ? new URLSearchParams(more) : null };
  }
  // #endregion list-page

  const first = await pageOfPosts(new URLSearchParams());
  const second = await pageOfPosts(first.more ?? new URLSearchParams());
  expect([...first.items, ...second.items]).toEqual(inWindow.slice(0, 40));

  // #region list-older
  /** All posts of the last year, newest first: one window of at most 90 days after the other. */
  async function* postsOfTheYear() {
    let end = new Date(social.recentWindow(1).publishedBefore);
    for (let days = 365; days > 0; days -= 90) {
      const start = new Date(end.getTime() - Math.min(90, days) * 86_400_000);
      const window = { publishedAfter: start, publishedBefore: end };
      await user.refresh(connectionId, { window }).scanAll(); // nobody else reads these days: a background job
      yield* user.content(connectionId, window);
      end = start;
    }
  }
  // #endregion list-older

  const older: ContentItem[] = [];
  for await (const item of postsOfTheYear()) older.push(item);
  expect(older).toEqual(posts);
  expect(api.of("requestRefresh")).toHaveLength(5);
});

it("lists: the newest posts of all accounts of a user", async () => {
  const newest = fakeClient({}).clock.now();
  const all = yearOfPosts(newest);
  const { user, social } = fakeClient({
    connections: {
      items: [connection("a"), connection("b"), connection("c", { status: "RECONNECT_REQUIRED" })],
      pageInfo: { endCursor: null, hasNextPage: false },
    },
    content: ({ body }) =>
      contentPage(all.slice(0, 4).filter((_, index) => (index % 2 === 0) === (body.variables["connectionId"] === "a"))),
  });

  // #region list-accounts
  const accounts = await user.connections().toArray({ limit: 100 });
  const window = social.recentWindow(7);
  const lists = await Promise.all(
    accounts
      .filter(({ status }) => status === "CONNECTED") // the others show a button or a note instead
      .map((account) => user.content(account.id, window).toArray({ limit: 50 })),
  );
  const newestFirst = lists.flat().sort((a, b) => `${b.publishedAt}`.localeCompare(`${a.publishedAt}`));
  // #endregion list-accounts

  expect(newestFirst).toEqual(all.slice(0, 4));
});
