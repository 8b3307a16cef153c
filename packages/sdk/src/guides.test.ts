/** The code of the guides in docs/how-to, run: each `#region` is copied into one of them by `pnpm generate`. */
import {
  type LaunchPage,
  launchPage,
  ReconnectRequiredError,
  SocialConnect,
  UnauthenticatedError,
} from "@social-connect/sdk";
import { afterEach, expect, it, vi } from "vitest";
import { BASE_URL, fakeApi, fakeClient, KEY, refusal } from "./testing/fakeApi.ts";
import {
  connection,
  connectResult,
  contentPage,
  DISCONNECTED,
  job,
  post,
  SESSION_WIRE,
  WINDOW as window,
} from "./testing/samples.ts";

const READINESS = { providers: [], idpIdentityAvailable: true };
const returnUrl = "https://app.example.com/return";
const connectionId = "connection-1";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An application's own web framework, as little as the snippets need of it. */
function fakeWeb() {
  const sent: unknown[] = [];
  return {
    sent,
    send: (page: LaunchPage) => void sent.push(page),
    redirect: (path: string) => void sent.push(path),
    show: (text: string) => void sent.push(text),
    log: (...line: unknown[]) => void sent.push(line),
  };
}

it("connecting: the browser goes to the consent and returns, and only the service reports the outcome", async () => {
  const { user } = fakeClient({
    createConnectSession: SESSION_WIRE,
    connectSessionResult: [connectResult("AUTHORIZING"), connectResult("COMPLETED")],
  });
  const { sent, send, redirect, show } = fakeWeb();
  const webSession: { attempt?: string } = {};
  const query = new URLSearchParams({ ss_session_id: "session-1", ss_status: "COMPLETED" });

  // #region connect-start
  // Behind your Connect button. `user` is social.forSubject(…) with your own signed-in user's id.
  const session = await user.connect({
    provider: "PROVIDER_B",
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
    returnUrl,
  });
  webSession.attempt = session.id;
  send(launchPage(session));
  // #endregion connect-start

  // #region connect-return
  // At your return URL. Anyone can send a request to it, so only compare it with the id that you stored.
  const attempt = query.get("ss_session_id");
  if (attempt === null || attempt !== webSession.attempt) return show("You started nothing here.");
  const result = await user.connectResult(attempt).wait();
  if (result.status === "COMPLETED") redirect(`/accounts/${result.connectionId}`);
  else show(`Nothing was linked: ${result.resultCode}`);
  // #endregion connect-return

  expect(sent).toEqual([expect.objectContaining({ html: expect.any(String) }), "/accounts/connection-1"]);
});

it("launching: the languages of the service's pages, and its consent pane", async () => {
  const { user } = fakeClient({ createConnectSession: SESSION_WIRE });
  const { sent, send } = fakeWeb();
  const webSession = { languages: ["de-AT", "de", "en"] };
  const session = await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });

  // #region launch-languages
  send(launchPage(session, { uiLocales: webSession.languages.join(" ") }));
  // #endregion launch-languages

  // #region launch-pane
  send(launchPage(session, { consentPane: true }));
  // #endregion launch-pane

  const [localized, withPane] = sent as LaunchPage[];
  expect(localized?.html).toContain('name="ui_locales" value="de-AT de en"');
  expect(withPane?.html).toContain('name="consent_pane" value="true"');
});

it("showing posts: profile, posts with metrics or their reasons, and completeness", async () => {
  const metric = { value: null, reason: null, sourceField: null, observedAt: "2026-03-01T11:00:00.000Z" };
  const metrics = [
    { ...metric, name: "VIEWS", value: "1204", availability: "AVAILABLE" },
    { ...metric, name: "LIKES", availability: "UNAVAILABLE", reason: "METRIC_HIDDEN" },
  ];
  const { user, social } = fakeClient({
    connection: connection(connectionId),
    content: contentPage([post("1", { metrics })]),
  });
  const { sent, log } = fakeWeb();

  // #region posts
  const { profile, syncStatus } = await user.connection(connectionId);
  log(profile?.displayName ?? "no profile", syncStatus);
  const window = social.recentWindow(7);
  for await (const item of user.content(connectionId, window)) {
    const numbers = item.metrics.map(({ name, value, reason }) => `${name} ${value ?? reason}`);
    log(item.publishedAt, item.title ?? item.description, numbers.join(", "));
  }
  // #endregion posts

  // #region posts-page
  const { pageInfo } = await user.content(connectionId, window, { pageSize: 24 }).page();
  const { completeForWindow, incompleteReason } = pageInfo;
  if (!completeForWindow) log("There may be more posts:", incompleteReason);
  // #endregion posts-page

  expect(sent).toEqual([
    ["no profile", "READY"],
    ["2026-02-20T08:00:00.000Z", "Post 1", "VIEWS 1204, LIKES METRIC_HIDDEN"],
  ]);
  expect(pageInfo.endCursor).toBeNull();
});

it("keeping fresh: a window, one post's metrics, a post by its URL", async () => {
  const { user, api } = fakeClient({
    requestRefresh: [
      job("SUCCEEDED", { completeForWindow: false, continuationCursor: "cursor-1" }),
      job("SUCCEEDED", { completeForWindow: true }),
      job("SUCCEEDED"),
    ],
    requestContentLookup: job("SUCCEEDED", { resultProviderContentId: "1" }),
    contentItem: post("1"),
  });
  const { sent, log } = fakeWeb();
  const providerContentId = "1";
  const url = "https://www.youtube.com/watch?v=aaaaaaaaaaa";

  // #region fresh-window
  const scan = await user.refresh(connectionId, { window }).scanAll();
  log(scan.complete ? "every post of the window was read" : scan.last.incompleteReason);
  // #endregion fresh-window

  // #region fresh-post
  await user.refresh(connectionId, { providerContentId }).wait();
  const item = await user.contentItem(connectionId, providerContentId);
  // #endregion fresh-post

  // #region fresh-lookup
  const found = await user.lookup(connectionId, url).wait();
  if (found.status === "SUCCEEDED") {
    const post = await user.contentItem(connectionId, found.resultProviderContentId);
    log(post?.availability, post?.title);
  } else log("not found:", found.errorCode);
  // #endregion fresh-lookup

  expect(sent).toEqual([["every post of the window was read"], ["AVAILABLE", "Post 1"]]);
  expect(item?.providerContentId).toBe("1");
  expect(api.of("requestRefresh")).toHaveLength(3);
});

it("keeping fresh across processes: a running scan is saved, and resumed at the same point", async () => {
  const { user } = fakeClient({ requestRefresh: job("QUEUED") });
  const { social } = fakeClient({
    syncJob: job("SUCCEEDED", { completeForWindow: false, continuationCursor: "cursor-1" }),
    requestRefresh: job("SUCCEEDED", { id: "job-2", completeForWindow: true }),
  });
  const saves: string[] = [];
  const store = { save: (text: string) => void saves.push(text), load: () => saves.at(-1) ?? "" };
  const { log, sent } = fakeWeb();

  // #region fresh-save
  const scan = user.refresh(connectionId, { window });
  await scan.start();
  store.save(JSON.stringify(scan)); // ids only
  // #endregion fresh-save

  // #region fresh-resume
  const resumed = social.resume<"refresh">(JSON.parse(store.load()));
  const { complete } = await resumed.scanAll({ onProgress: () => store.save(JSON.stringify(resumed)) });
  log(complete ? "every post of the window was read" : "the window is not covered");
  // #endregion fresh-resume

  const about = { kind: "refresh", id: "job-1" };
  expect(saves.map((text) => JSON.parse(text))).toMatchObject([
    { ...about, continuations: [] },
    { ...about, continuations: [] },
    { ...about, continuations: ["job-2"] },
  ]);
  expect(sent).toEqual([["every post of the window was read"]]);
});

it("reconnecting: the same connection gets a new consent and keeps its id", async () => {
  const { user, api } = fakeClient({
    connection: refusal("RECONNECT_REQUIRED"),
    createConnectSession: SESSION_WIRE,
  });
  const { sent, send } = fakeWeb();

  // #region reconnect
  try {
    await user.connection(connectionId);
  } catch (error) {
    if (!ReconnectRequiredError.is(error)) throw error;
    // The person has to consent again. Naming the connection makes another account's consent an ACCOUNT_MISMATCH.
    const session = await user.connect({
      provider: "PROVIDER_B",
      capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
      returnUrl,
      reconnectConnectionId: connectionId,
    });
    send(launchPage(session));
  }
  // #endregion reconnect

  expect(sent).toHaveLength(1);
  expect(api.of("createConnectSession")[0]?.body.variables).toMatchObject({
    input: { reconnectConnectionId: connectionId },
  });
});

it("disconnecting: the receipts are read now, or by another process later", async () => {
  const { user, social } = fakeClient({
    disconnectConnection: DISCONNECTED,
    syncJob: job("SUCCEEDED"),
  });
  const { sent, show } = fakeWeb();
  const stored: object[] = [];
  const store = (proof: object) => void stored.push(proof);

  // #region disconnect
  const requestedAt = new Date();
  const disconnection = await user.disconnect(connectionId);
  const saved = JSON.stringify(disconnection); // ids only: keep it with your user for the 7 days that receipts last
  // #endregion disconnect

  // #region disconnect-receipts
  const { revoke, erase } = social.resume<"disconnect">(JSON.parse(saved));
  const [revoked, erased] = await Promise.all([revoke.wait(), erase.wait()]);
  if (erased.status === "SUCCEEDED") show("Your posts, metrics and profile are erased.");
  if (revoked.creatorAction === "REMOVE_APP_AT_PROVIDER") show("Please remove the app in the provider's settings.");
  else if (revoked.status === "SUCCEEDED") show("Your consent was revoked.");
  store({ connectionId, requestedAt, revoked, erased, endedAt: new Date() }); // your proof: it names no user
  // #endregion disconnect-receipts

  expect(sent).toEqual(["Your posts, metrics and profile are erased.", "Your consent was revoked."]);
  expect(stored).toMatchObject([{ connectionId, revoked: { status: "SUCCEEDED" }, erased: { status: "SUCCEEDED" } }]);
});

it("identity handoff: the proof stays on the server and is consumed by the final response", async () => {
  const person = { email: "ada@example.test", emailVerified: true, name: "Ada", pictureUrl: null };
  const { social } = fakeClient({
    createIdpIdentitySession: {
      ...SESSION_WIRE,
      launchUrl: "https://sandbox.example.com/api/identity/redeem",
      resultProof: "cd".repeat(32),
    },
    redeemIdpIdentityResult: { ...person, status: "COMPLETED", issuer: "https://issuer.example", idpSub: "sub-1" },
  });
  const { sent, send, show } = fakeWeb();
  const webSession: { id?: string; proof?: string } = {};
  const identityReturnUrl = "https://app.example.com/identity-return";
  const tenantKey = "tenant-1";

  // #region identity-start
  const handoff = await social.createIdpIdentitySession({ tenantKey, returnUrl: identityReturnUrl });
  webSession.id = handoff.id;
  webSession.proof = handoff.resultProof.reveal(); // in your server's session store, never in a cookie or a page
  send(launchPage(handoff));
  // #endregion identity-start

  // #region identity-return
  const { id = "", proof = "" } = webSession;
  const result = await social.redeemIdpIdentity({ id, tenantKey, resultProof: proof });
  // Identify a user by issuer and idpSub together; an email address can move to another user.
  if (result.status === "COMPLETED") show(`${result.issuer} ${result.idpSub}`);
  else show(`Not signed in: ${result.status}`);
  // #endregion identity-return

  expect(sent).toEqual([expect.objectContaining({ html: expect.any(String) }), "https://issuer.example sub-1"]);
});

it("rotating keys: calls the key function before each request, and rejects with the class of a refused key", async () => {
  const keys = [KEY, KEY.replace("11111111", "22222222")];
  const vault = { read: async (_name: string) => keys.shift() ?? "" };
  const replies = { integrationReadiness: [READINESS, READINESS, refusal("UNAUTHENTICATED")] };
  const { fetch, calls } = fakeApi(replies);
  const baseUrl = BASE_URL;
  const alerts: string[] = [];
  const alert = (text: string) => void alerts.push(text);

  vi.stubGlobal("fetch", fetch);

  // #region rotate-client
  const social = new SocialConnect({
    baseUrl,
    key: async () => vault.read("social-connect-key"),
  });
  // #endregion rotate-client

  await social.readiness();
  await social.readiness();
  keys.push(KEY);

  // #region rotate-refused
  try {
    await social.readiness();
  } catch (error) {
    if (!UnauthenticatedError.is(error)) throw error;
    alert(`The key was refused. Quote ${error.correlationId} when you ask for help.`);
  }
  // #endregion rotate-refused

  const sent = calls.map(({ headers }) => headers.get("authorization")?.slice("Bearer ".length));
  expect(sent).toEqual([KEY, KEY.replace("11111111", "22222222"), KEY]);
  expect(alerts).toEqual([expect.stringContaining("99999999-8888-4777-8666-555555555555")]);
});
