/** The code of the guides on calls, run: each `#region` is copied into one of them by `pnpm generate`. */
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { exportSession, importSession, launchPage, metric, type ResponseInfo } from "@social-connect/sdk";
import { CORRELATION_ID } from "@social-connect/sdk-core/testing/replies";
import { parse } from "graphql";
import { expect, expectTypeOf, it } from "vitest";
import { fakeClient, SCOPE } from "./testing/fakeApi.ts";
import { connection, contentPage, job, post, SESSION_WIRE } from "./testing/samples.ts";
import { schemaServer } from "./testing/schemaServer.ts";

const connectionId = "c";

it("selecting: a list of titles and views", async () => {
  const views = {
    name: "VIEWS",
    value: "1204",
    availability: "AVAILABLE",
    reason: null,
    sourceField: null,
    observedAt: "",
  };
  const { social, user } = await schemaServer({ content: contentPage([post("1", { metrics: [views] })]) });
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);

  // #region select
  const posts = user.content(connectionId, social.recentWindow(30), {
    select: { title: true, metrics: { name: true, value: true } },
  });
  for await (const post of posts) log(post.title, metric(post, "VIEWS"));
  // #endregion select

  expect(lines).toEqual([["Post 1", 1204n]]);
});

it("own documents: two accounts in one request", async () => {
  const values = { connection: ({ id }: { id: string }) => connection(id) };
  const { social, requests } = await schemaServer(values);
  const scope = SCOPE;
  const [left, right] = ["a", "b"];

  // #region request-text
  const data = await social.request(
    `query TwoAccounts($scope: SubjectScope!, $left: ID!, $right: ID!) {
      left: connection(scope: $scope, id: $left) { status profile { displayName } }
      right: connection(scope: $scope, id: $right) { status profile { displayName } }
    }`,
    { scope, left, right },
  );
  // #endregion request-text

  expect(data).toEqual({ left: { status: "CONNECTED", profile: null }, right: { status: "CONNECTED", profile: null } });
  expect(requests).toHaveLength(1);

  const PostTitle: TypedDocumentNode<
    { readonly contentItem: { readonly title: string | null } | null },
    { readonly scope: typeof SCOPE; readonly connectionId: string; readonly id: string }
  > = parse(`query PostTitle($scope: SubjectScope!, $connectionId: ID!, $id: String!) {
    contentItem(scope: $scope, connectionId: $connectionId, providerContentId: $id) { title }
  }`);

  // #region request-typed
  // `PostTitle` is what a code generator made of your query: its result and its variables have types.
  const { contentItem } = await social.request(PostTitle, { scope, connectionId, id: "p" });
  const title = contentItem?.title ?? "no title";
  // #endregion request-typed

  expectTypeOf(title).toEqualTypeOf<string>();
  expect(title).toBe("Post p");
});

it("responses: the correlation id of a successful call", async () => {
  const { user } = await schemaServer();
  const lines: ResponseInfo[] = [];
  const log = (line: ResponseInfo) => void lines.push(line);

  // #region with-response
  const { data, response } = await user.connection(connectionId, { timeoutMs: 2_000, retries: 0 }).withResponse();
  log(response); // httpStatus, correlationId, durationMs, attempts
  // #endregion with-response

  expect(data.id).toBe(connectionId);
  expect(lines).toMatchObject([{ httpStatus: 200, correlationId: CORRELATION_ID, attempts: 1 }]);
});

it("responses: the correlation id of the request that starts a job", async () => {
  const { user } = await schemaServer();
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);

  // #region start-with-response
  const started = await user.refresh(connectionId).start().withResponse();
  log(started.data, started.response?.correlationId);
  // #endregion start-with-response

  expect(lines).toEqual([["job-1", CORRELATION_ID]]);
});

it("sessions: passed to the process that serves the launch page", async () => {
  const { user } = fakeClient({ createConnectSession: SESSION_WIRE });
  const vault = new Map<string, string>();
  const sent: unknown[] = [];
  const send = (page: unknown) => void sent.push(page);
  const session = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE"],
    returnUrl: "https://a.example",
  });
  const { id } = session;

  // #region export-session
  // In the process that started the attempt. Store it encrypted, and only until session.expiresAt.
  vault.set(id, exportSession(session).reveal());

  // In the process that serves the page.
  const imported = importSession(vault.get(id) ?? "");
  vault.delete(id);
  send(launchPage(imported));
  // #endregion export-session

  expect(sent).toEqual([expect.objectContaining({ html: expect.stringContaining(SESSION_WIRE.launchToken) })]);
});

it("windows: a scan, and later reads of what it covered", async () => {
  const { api, social, user } = fakeClient({
    requestRefresh: job("SUCCEEDED", { completeForWindow: true }),
    content: contentPage([post("1")]),
  });

  // #region recent-window
  const { complete } = await user.refresh(connectionId, { window: social.recentWindow(30) }).scanAll();
  // Until midnight UTC, this is the window that was scanned.
  const posts = await user.content(connectionId, social.recentWindow(30)).toArray({ limit: 100 });
  // #endregion recent-window

  expect([complete, posts.length]).toEqual([true, 1]);
  const [read] = api.of("content");
  expect(read?.body.variables.window).toMatchObject(Object(api.of("requestRefresh")[0]?.body.variables.window));
});
