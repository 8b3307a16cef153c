import type {
  ConnectInput,
  Connection,
  ConnectSession,
  ConnectSessionResult,
  IdpIdentitySession,
  SubjectScope,
  SyncJob,
} from "../../_generated/consumerWire.ts";
import { factOf } from "../../description/providers.ts";
import type { CaseContext } from "../../harness/context.ts";
import { Mismatch } from "../../harness/expectation.ts";
import type { Capability, ConsentChoice, Provider } from "../../target/target.ts";
import type { Browser, Visit } from "../../wire/browser.ts";

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

export function createSession(t: CaseContext, fields: Partial<ConnectInput> = {}): Promise<ConnectSession> {
  return t.get("createConnectSession", { input: connectInput(t, fields) });
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

export interface ConnectOptions extends Partial<Omit<ConnectInput, "provider">> {
  readonly provider?: Provider;
  readonly account?: string;
  readonly decision?: "allow" | "deny";
  readonly scopes?: (offered: readonly string[]) => readonly string[];
}

export interface Attempted {
  readonly scope: SubjectScope;
  readonly session: ConnectSession;
  readonly result: ConnectSessionResult;
}

/** A whole attempt with any result. */
export async function attempt(t: CaseContext, options: ConnectOptions = {}): Promise<Attempted> {
  const { account, decision, scopes, provider = "PROVIDER_C", ...fields } = options;
  const input = connectInput(t, { provider, ...fields });
  const session = await createSession(t, input);
  await walkThrough(t, session, {
    account: account ?? GOOD_ACCOUNT[provider],
    ...(decision !== undefined && { decision }),
    ...(scopes !== undefined && { scopes }),
  });
  const result = await t.get("connectSessionResult", { scope: input.scope, id: session.id });
  return { scope: input.scope, session, result };
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

const ENDED = ["SUCCEEDED", "FAILED", "CANCELED"];

export function jobEnd(t: CaseContext, connected: Connected, id: string, patienceMs?: number): Promise<SyncJob> {
  return t.eventually(
    "the job ends",
    () => t.get("syncJob", { ...connected, id }),
    (job) => ENDED.includes(job.status),
    patienceMs,
  );
}

const DAY_MS = 86_400_000;

/** A window in full days before now. A negative `toDaysAgo` is in the future. */
export function daysBack(now: Date, fromDaysAgo: number, toDaysAgo = -1) {
  return {
    publishedAfter: new Date(now.getTime() - fromDaysAgo * DAY_MS).toISOString(),
    publishedBefore: new Date(now.getTime() - toDaysAgo * DAY_MS).toISOString(),
  };
}

/** The service's time: its clock's, if available, otherwise this machine's. */
export async function serviceNow(t: CaseContext): Promise<Date> {
  return (await t.target.clock?.now()) ?? new Date();
}

/** A scan of a window, to its end. */
export async function scan(
  t: CaseContext,
  connected: Connected,
  window: { publishedAfter: string; publishedBefore: string; maxItems?: number },
): Promise<SyncJob> {
  const job = await t.eventually(
    "a scan can be requested",
    () => t.call("requestRefresh", { ...connected, window }),
    (outcome) => outcome.ok || outcome.code !== "SYNC_WINDOW_BUSY",
  );
  return jobEnd(t, connected, t.value(job, "requestRefresh accepts the window").id);
}

/** Every page of a window. */
export async function allContent(
  t: CaseContext,
  connected: Connected,
  window: { publishedAfter: string; publishedBefore: string },
  first = 50,
) {
  const { publishedAfter, publishedBefore } = window;
  const items = [];
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof t.get<"content">>> = await t.get("content", {
      ...connected,
      window: { publishedAfter, publishedBefore, first, ...(after !== null && { after }) },
    });
    items.push(...page.items);
    if (!page.pageInfo.hasNextPage) return { items, last: page };
    after = page.pageInfo.endCursor;
  }
}

export function createIdentity(
  t: CaseContext,
  tenantKey: string = t.application.tenantKeys[0],
): Promise<IdpIdentitySession> {
  return t.get("createIdpIdentitySession", { input: { tenantKey, returnUrl: t.application.identityReturnUrl } });
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

/** When an account last published: windows before that have posts, however far the clock was moved. */
export async function newestPost(t: CaseContext, provider: Provider, account: string): Promise<Date> {
  const posts = await t.provider.posts(provider, account);
  return new Date(Math.max(...posts.map((post) => Date.parse(post.publishedAt))));
}
