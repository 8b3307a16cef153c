/** The code of the guides on errors and on lists of posts, run: each `#region` is copied into one of them by `pnpm generate`. */
import { type ContentItem, type PublishedWindow, SocialConnectError, TimeoutError } from "@social-connect/sdk";
import { expect, it } from "vitest";
import { fakeClient, KEY, notConnected, refusal } from "./testing/fakeApi.ts";
import { connection, connectResult, contentPage, job, post } from "./testing/samples.ts";

const connectionId = "connection-1";

function fakeLog() {
  const lines: { level: string; text: string }[] = [];
  const at = (level: string) => (text: string) => void lines.push({ level, text });
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}

/** The handler of the guide, with its log. */
function errorHandler() {
  const log = fakeLog();

  // #region error-handler
  interface Shown {
    status: number;
    text: string;
    button?: "reconnect" | "retry";
  }

  /** What a page shows for an error, in the error handler of your framework. */
  function explain(error: unknown): Shown {
    if (!SocialConnectError.is(error)) throw error;
    const { code, retryAfterSeconds = 60, correlationId } = error;
    switch (code) {
      case "NOT_FOUND":
        return { status: 404, text: "This account is not linked." };
      case "RECONNECT_REQUIRED":
        return { status: 409, text: "Please connect this account again.", button: "reconnect" };
      case "AUTHORIZATION_SUSPENDED":
      case "DISCONNECT_IN_PROGRESS":
        return { status: 409, text: "This account is paused. You do not have to do anything." };
      case "CAPABILITY_UNAVAILABLE":
        return { status: 409, text: "Your consent does not cover this." };
      case "RATE_LIMITED":
        return { status: 429, text: `Please try again in ${retryAfterSeconds} seconds.`, button: "retry" };
      case "UNAUTHENTICATED":
      case "FORBIDDEN":
      case "BAD_USER_INPUT":
      case "MISCONFIGURED":
      case "WRONG_ADDRESS":
        log.error(JSON.stringify(error)); // yours to correct: alert on it
        return { status: 500, text: `Sorry, that did not work. (${correlationId ?? code})` };
      default: // the network, a timeout, UPSTREAM_UNAVAILABLE, and codes of later versions
        log.warn(JSON.stringify(error));
        return { status: 503, text: "Please try again in a minute.", button: "retry" };
    }
  }
  // #endregion error-handler

  return { explain, lines: log.lines };
}

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
  const { explain, lines } = errorHandler();
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
  const { explain, lines } = errorHandler();
  expect(await user.connection(connectionId).catch(explain)).toMatchObject(shown);
  expect(lines).toEqual([{ level, text: expect.stringContaining(code) }]);
});

it("errors: no page for an error that is not of the SDK", () => {
  expect(() => errorHandler().explain(new RangeError("own"))).toThrow("own");
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
  async function* postsOfTheYear(): AsyncGenerator<ContentItem> {
    let end = new Date(social.recentWindow(1).publishedBefore);
    for (let days = 365; days > 0; days -= 90) {
      const start = new Date(end.getTime() - Math.min(90, days) * 86_400_000);
      const window: PublishedWindow = { publishedAfter: start, publishedBefore: end };
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
