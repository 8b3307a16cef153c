import type {
  ConnectInput,
  Connection,
  ConnectSession,
  ConnectSessionResult,
  ContentItem,
  ContentPage,
  IdpIdentityInput,
  IdpIdentityResult,
  IdpIdentitySession,
  SubjectScope,
  SyncJob,
} from "../../_generated/consumerWire.ts";
import { factOf } from "../../description/providers.ts";
import type { CaseContext } from "../../harness/context.ts";
import { Mismatch } from "../../harness/expectation.ts";
import type { Capability, ConsentChoice, Provider, ProviderCall } from "../../target/target.ts";
import type { Browser, Visit } from "../../wire/browser.ts";
import { whileFault } from "./faults.ts";

/** Ordinary accounts, which no case may modify. */
export const GOOD_ACCOUNT = factOf(({ accounts }) => accounts.ordinary);
export const ALL_CAPABILITIES: readonly Capability[] = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"];

export function connectInput(t: CaseContext, fields: Partial<ConnectInput> = {}): ConnectInput {
  return {
    scope: fields.scope ?? t.scope(),
    provider: "PROVIDER_C",
    capabilities: ALL_CAPABILITIES,
    returnUrl: t.application.returnUrl,
    ...fields,
  };
}

/** A created attempt, with the subject whose attempt it is. */
export interface Session extends ConnectSession {
  readonly scope: SubjectScope;
}

export async function createSession(t: CaseContext, fields: Partial<ConnectInput> = {}): Promise<Session> {
  const input = connectInput(t, fields);
  return { ...(await t.get("createConnectSession", { input })), scope: input.scope };
}

/** No attempt with this input is created. */
export function refusesSession(t: CaseContext, fields: Partial<ConnectInput>, code: string, what?: string) {
  return t.refuses("createConnectSession", { input: connectInput(t, fields) }, code, what);
}

export function resultOf(t: CaseContext, { scope, id }: Pick<Session, "scope" | "id">): Promise<ConnectSessionResult> {
  return t.get("connectSessionResult", { scope, id });
}

/** Posts the launch form from the application's page. */
export function postLaunch(
  t: CaseContext,
  session: Pick<ConnectSession, "launchUrl" | "launchToken">,
  options: { readonly browser?: Browser; readonly origin?: string | null } = {},
): Promise<Visit> {
  const origin = options.origin === undefined ? t.application.webOrigin : options.origin;
  return (options.browser ?? t.browser()).post(session.launchUrl, { launchToken: session.launchToken }, origin);
}

/** The URL to which a launched browser is redirected. */
export async function launched(
  t: CaseContext,
  session: Pick<ConnectSession, "launchUrl" | "launchToken">,
  browser: Browser,
): Promise<string> {
  const visit = await postLaunch(t, session, { browser });
  t.equal(visit.status, 303, "a launch form posted from the application's origin is redirected");
  return String(visit.location);
}

export interface Return {
  readonly visit: Visit;
  /** The callback URL to which the provider redirects the browser. */
  readonly callback: URL;
}

/** From the launch form to the application's return URL. */
export async function walkThrough(
  t: CaseContext,
  session: Pick<ConnectSession, "launchUrl" | "launchToken">,
  choice: ConsentChoice,
  browser: Browser = t.browser(),
): Promise<Return> {
  const consentPage = await launched(t, session, browser);
  const callback = await t.provider.consent(consentPage, choice);
  return { callback, visit: await browser.get(callback) };
}

export interface Consented {
  readonly session: Session;
  readonly browser: Browser;
  /** The callback URL, which the browser has not followed yet. */
  readonly callback: URL;
}

/** An attempt to which the user has consented. */
export async function consented(
  t: CaseContext,
  {
    account,
    provider = "PROVIDER_C",
    ...fields
  }: Partial<ConnectInput> & { provider?: Provider; account?: string } = {},
): Promise<Consented> {
  const session = await createSession(t, { provider, ...fields });
  const browser = t.browser();
  const page = await launched(t, session, browser);
  const callback = await t.provider.consent(page, { account: account ?? GOOD_ACCOUNT[provider] });
  return { session, browser, callback };
}

export function untilExchanging(t: CaseContext, session: Session): Promise<ConnectSessionResult> {
  return t.eventually(
    "the attempt reads EXCHANGING",
    () => resultOf(t, session),
    ({ status }) => status === "EXCHANGING",
  );
}

/**
 * An attempt whose exchange is delayed at the provider; `during` runs while it is EXCHANGING. Every such call for the
 * account is delayed, because a background read could consume a single delay.
 */
export async function whileExchanging(
  t: CaseContext,
  options: Parameters<typeof consented>[1] & {
    readonly account: string;
    readonly delayMs: number;
    /** Which response of the provider is delayed. */
    readonly held?: ProviderCall;
  },
  during: (session: Session) => Promise<void> = async () => {},
): Promise<{ readonly session: Session; readonly visit: Visit }> {
  const { delayMs, held = "profile", ...fields } = options;
  const { provider = "PROVIDER_C", account } = fields;
  const { session, browser, callback } = await consented(t, fields);
  const visit = await whileFault(t, provider, held, { kind: "delay", delayMs }, { account }, async () => {
    const finished = browser.get(callback);
    await untilExchanging(t, session);
    await during(session);
    return finished;
  });
  return { session, visit };
}

export interface ConnectOptions extends Partial<Omit<ConnectInput, "provider">> {
  readonly provider?: Provider;
  readonly account?: string;
  readonly decision?: "allow" | "deny";
  readonly scopes?: (offered: readonly string[]) => readonly string[];
}

export interface Attempted {
  readonly scope: SubjectScope;
  readonly session: Session;
  readonly result: ConnectSessionResult;
}

/** A whole attempt with any result. */
export async function attempt(t: CaseContext, options: ConnectOptions = {}): Promise<Attempted> {
  const { account, decision, scopes, provider = "PROVIDER_C", ...fields } = options;
  const session = await createSession(t, { provider, ...fields });
  await walkThrough(t, session, {
    account: account ?? GOOD_ACCOUNT[provider],
    ...(decision !== undefined && { decision }),
    ...(scopes !== undefined && { scopes }),
  });
  return { scope: session.scope, session, result: await resultOf(t, session) };
}

export interface Connected {
  readonly scope: SubjectScope;
  readonly connectionId: string;
}

/** An attempt that has to end COMPLETED. */
export async function connect(t: CaseContext, options: ConnectOptions = {}): Promise<Connected> {
  const { scope, result } = await attempt(t, options);
  t.equal(result.status, "COMPLETED", `the attempt completes (resultCode ${result.resultCode})`);
  if (result.connectionId === null) throw new Mismatch("a completed attempt names its connection", "an id", null);
  return { scope, connectionId: result.connectionId };
}

export function readConnection(t: CaseContext, { scope, connectionId }: Connected): Promise<Connection> {
  return t.get("connection", { scope, id: connectionId });
}

/** The row as `connections` lists it, or null when it is not listed. */
export async function listedConnection(t: CaseContext, { scope, connectionId }: Connected): Promise<Connection | null> {
  const page = await t.get("connections", { scope, first: 100 });
  return page.items.find((item) => item.id === connectionId) ?? null;
}

/** Connects, and waits for the connection's first scan and profile read. */
export async function connectAndSettle(
  t: CaseContext,
  options: ConnectOptions = {},
): Promise<Connected & { connection: Connection }> {
  const connected = await connect(t, options);
  const wanted = options.capabilities ?? ALL_CAPABILITIES;
  const connection = await t.eventually(
    "the first reads of a connection end",
    () => readConnection(t, connected),
    (row) =>
      (!wanted.includes("CONTENT_LIST") || !["PENDING", "RUNNING"].includes(row.syncStatus)) &&
      (!wanted.includes("PROFILE") || row.profile !== null),
  );
  return { ...connected, connection };
}

/** Polls the connection until the condition is true. */
export function untilRow(
  t: CaseContext,
  connected: Connected,
  what: string,
  isThere: (row: Connection) => boolean,
  patienceMs?: number,
): Promise<Connection> {
  return t.eventually(what, () => readConnection(t, connected), isThere, patienceMs);
}

export function untilStatus(t: CaseContext, connected: Connected, status: string): Promise<Connection> {
  return untilRow(t, connected, `the connection becomes ${status}`, (row) => row.status === status);
}

/** Waits until a subject may connect at the provider again. */
export async function mayConnectAgain(t: CaseContext, fields: Partial<ConnectInput>): Promise<void> {
  const input = connectInput(t, fields);
  const outcome = await t.eventually(
    "the subject may connect at the provider again",
    () => t.call("createConnectSession", { input }),
    (found) => found.ok || found.code !== "FORBIDDEN",
    60_000,
  );
  t.value(outcome);
}

const ENDED = ["SUCCEEDED", "FAILED", "CANCELED"];

export function readJob(t: CaseContext, { scope, connectionId }: Connected, id: string): Promise<SyncJob> {
  return t.get("syncJob", { scope, connectionId, id });
}

/** Polls the job until the condition is true. */
export function untilJob(
  t: CaseContext,
  connected: Connected,
  id: string,
  what: string,
  isThere: (job: SyncJob) => boolean,
  patienceMs?: number,
): Promise<SyncJob> {
  return t.eventually(what, () => readJob(t, connected, id), isThere, patienceMs);
}

export function jobEnd(t: CaseContext, connected: Connected, id: string, patienceMs?: number): Promise<SyncJob> {
  return untilJob(t, connected, id, "the job ends", (job) => ENDED.includes(job.status), patienceMs);
}

/** Waits until a job that failed temporarily has a retry time. */
export function untilRetry(t: CaseContext, connected: Connected, id: string): Promise<SyncJob> {
  return untilJob(t, connected, id, "the job waits for a retry", (job) => job.nextRetryAt !== null);
}

/** Requests a lookup of one of the account's own posts; returns the job's id. */
export async function requestLookup(
  t: CaseContext,
  { scope, connectionId }: Connected,
  provider: Provider,
  account: string,
): Promise<string> {
  const [post] = await publicPosts(t, provider, account);
  return (await t.get("requestContentLookup", { scope, connectionId, url: post?.url ?? "" })).id;
}

/** A lookup, to its end. */
export async function lookUp(t: CaseContext, { scope, connectionId }: Connected, url: string): Promise<SyncJob> {
  const { id } = await t.get("requestContentLookup", { scope, connectionId, url });
  return jobEnd(t, { scope, connectionId }, id);
}

/** A metrics refresh of one post, to its end. */
export async function refresh(t: CaseContext, connected: Connected, providerContentId: string): Promise<SyncJob> {
  const { scope, connectionId } = connected;
  const { id } = await t.get("requestRefresh", { scope, connectionId, providerContentId });
  return jobEnd(t, connected, id);
}

const DAY_MS = 86_400_000;

export interface Window {
  readonly publishedAfter: string;
  readonly publishedBefore: string;
}

/** A window in full days before now. A negative `toDaysAgo` is in the future. */
export function daysBack(now: Date, fromDaysAgo: number, toDaysAgo = -1): Window {
  return {
    publishedAfter: new Date(now.getTime() - fromDaysAgo * DAY_MS).toISOString(),
    publishedBefore: new Date(now.getTime() - toDaysAgo * DAY_MS).toISOString(),
  };
}

/** The service's time: its clock's, if available, otherwise this machine's. */
export async function serviceNow(t: CaseContext): Promise<Date> {
  return (await t.target.clock?.now()) ?? new Date();
}

/** Continues a scan until it has no cursor; `after` runs after each continuation. */
export async function continueScan(
  t: CaseContext,
  connected: Connected,
  first: SyncJob,
  after: () => Promise<void> = async () => {},
): Promise<SyncJob> {
  let job = first;
  for (let round = 0; round < 10 && job.continuationCursor !== null; round += 1) {
    const next = await t.get("requestRefresh", { ...connected, continuationCursor: job.continuationCursor });
    job = await jobEnd(t, connected, next.id);
    await after();
  }
  return job;
}

/** A scan of a window, to its end. */
export async function scan(
  t: CaseContext,
  connected: Connected,
  window: Window & { readonly maxItems?: number },
): Promise<SyncJob> {
  const job = await t.eventually(
    "a scan can be requested",
    () => t.call("requestRefresh", { ...connected, window }),
    (outcome) => outcome.ok || outcome.code !== "SYNC_WINDOW_BUSY",
  );
  return jobEnd(t, connected, t.value(job, "requestRefresh accepts the window").id);
}

/** One page of a window. */
export function contentPage(
  t: CaseContext,
  { scope, connectionId }: Connected,
  { publishedAfter, publishedBefore }: Window,
  first = 50,
  after: string | null = null,
): Promise<ContentPage> {
  const window = { publishedAfter, publishedBefore, first, ...(after !== null && { after }) };
  return t.get("content", { scope, connectionId, window });
}

/** Every page of a window, or those after a cursor. */
export async function allContent(
  t: CaseContext,
  connected: Connected,
  window: Window,
  first = 50,
  from: string | null = null,
) {
  const items: ContentItem[] = [];
  for (let after = from; ; ) {
    const page: ContentPage = await contentPage(t, connected, window, first, after);
    items.push(...page.items);
    if (!page.pageInfo.hasNextPage) return { items, last: page };
    after = page.pageInfo.endCursor;
  }
}

/** The posts in a window of the days before now that the first reads of a new connection cover. */
export async function firstPosts(t: CaseContext, options: ConnectOptions, fromDaysAgo = 6, toDaysAgo = -1) {
  const connected = await connectAndSettle(t, options);
  const { items } = await allContent(t, connected, daysBack(await serviceNow(t), fromDaysAgo, toDaysAgo));
  t.holds(items.length > 0, "there are posts");
  return items;
}

/** A new connection with a scan of a window in days before `now`, and the posts of that window. */
export async function scanned(
  t: CaseContext,
  options: ConnectOptions,
  fromDaysAgo: number,
  toDaysAgo?: number,
  now?: Date,
) {
  const connected = await connectAndSettle(t, options);
  const window = daysBack(now ?? (await serviceNow(t)), fromDaysAgo, toDaysAgo);
  const job = await scan(t, connected, window);
  return { connected, window, job, ...(await allContent(t, connected, window)) };
}

/** The stored post, or null when it was never observed. */
export function storedPost(
  t: CaseContext,
  { scope, connectionId }: Connected,
  providerContentId: string,
): Promise<ContentItem | null> {
  return t.get("contentItem", { scope, connectionId, providerContentId });
}

/** The provider's posts of an account that everyone may see, newest first. */
export async function publicPosts(t: CaseContext, provider: Provider, account: string = GOOD_ACCOUNT[provider]) {
  return (await t.provider.posts(provider, account)).filter(({ visibility }) => visibility === "public");
}

export function identityInput(t: CaseContext, fields: Partial<IdpIdentityInput> = {}): IdpIdentityInput {
  return { tenantKey: t.application.tenantKeys[0], returnUrl: t.application.identityReturnUrl, ...fields };
}

export function createIdentity(t: CaseContext, fields?: Partial<IdpIdentityInput>): Promise<IdpIdentitySession> {
  return t.get("createIdpIdentitySession", { input: identityInput(t, fields) });
}

/** No identity session with this input is created. */
export function refusesIdentity(t: CaseContext, fields: Partial<IdpIdentityInput>, code: string, what?: string) {
  return t.refuses("createIdpIdentitySession", { input: identityInput(t, fields) }, code, what);
}

/** The identity handoff in a browser, to its return URL. */
export async function signInThrough(
  t: CaseContext,
  session: IdpIdentitySession,
  choice: { readonly person: string; readonly decision?: "allow" | "deny" },
  browser: Browser = t.browser(),
): Promise<Return> {
  const issuerPage = await launched(t, session, browser);
  const callback = await t.driver("identity").signIn(issuerPage, choice);
  return { callback, visit: await browser.get(callback) };
}

/** An identity session in which the user has signed in, or not. */
export async function signedIn(
  t: CaseContext,
  choice: Parameters<typeof signInThrough>[2] = { person: "ada" },
): Promise<IdpIdentitySession> {
  const session = await createIdentity(t);
  await signInThrough(t, session, choice);
  return session;
}

export function proofOf(t: CaseContext, { id, resultProof }: IdpIdentitySession) {
  return { id, tenantKey: t.application.tenantKeys[0], resultProof };
}

export function redeem(t: CaseContext, session: IdpIdentitySession): Promise<IdpIdentityResult> {
  return t.get("redeemIdpIdentityResult", proofOf(t, session));
}

/** When an account last published: windows before that have posts, however far the clock was moved. */
export async function newestPost(t: CaseContext, provider: Provider, account: string): Promise<Date> {
  const posts = await t.provider.posts(provider, account);
  return new Date(Math.max(...posts.map((post) => Date.parse(post.publishedAt))));
}
