import type {
  ConnectInput,
  ConnectSession,
  ConnectSessionResult,
  SubjectScope,
} from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Capability, ConsentChoice, Provider, ProviderCall } from "../../target/target.ts";
import type { Browser, Visit } from "../../wire/browser.ts";
import { GOOD_ACCOUNT, whileFault } from "./accounts.ts";
import { errorPage } from "./findings.ts";

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

export interface Session extends ConnectSession {
  readonly scope: SubjectScope;
}

export async function createSession(t: CaseContext, fields: Partial<ConnectInput> = {}): Promise<Session> {
  const input = connectInput(t, fields);
  return { ...(await t.get("createConnectSession", { input })), scope: input.scope };
}

export function refusesSession(t: CaseContext, fields: Partial<ConnectInput>, code: string, what?: string) {
  return t.refuses("createConnectSession", { input: connectInput(t, fields) }, code, what);
}

export function resultOf(t: CaseContext, { scope, id }: Pick<Session, "scope" | "id">): Promise<ConnectSessionResult> {
  return t.get("connectSessionResult", { scope, id });
}

export function postLaunch(
  t: CaseContext,
  session: Pick<ConnectSession, "launchUrl" | "launchToken">,
  options: { readonly browser?: Browser; readonly origin?: string | null } = {},
): Promise<Visit> {
  const origin = options.origin === undefined ? t.application.webOrigin : options.origin;
  return (options.browser ?? t.browser()).post(session.launchUrl, { launchToken: session.launchToken }, origin);
}

export async function launched(
  t: CaseContext,
  session: Pick<ConnectSession, "launchUrl" | "launchToken">,
  browser: Browser,
): Promise<string> {
  const visit = await postLaunch(t, session, { browser });
  t.equal(visit.status, 303, "a launch form posted from the application's origin is redirected");
  return String(visit.location);
}

/** The address of the attempt's consent pane. */
export function paneOf(t: CaseContext, { id }: Pick<ConnectSession, "id">): URL {
  return new URL(`${t.target.connectHost}/api/connect/consent?attempt=${id}`);
}

export interface Return {
  readonly visit: Visit;
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

/** The providers at which the application can start an attempt, in order. */
export async function availableProviders(t: CaseContext): Promise<string[]> {
  const { providers } = await t.get("integrationReadiness", {});
  return providers.flatMap((entry) => (entry.available ? [entry.provider] : [])).toSorted();
}

export interface ConnectOptions extends Partial<Omit<ConnectInput, "provider">> {
  readonly provider?: Provider;
  readonly account?: string;
  readonly decision?: "allow" | "deny";
  readonly scopes?: (offered: readonly string[]) => readonly string[];
}

export async function consented(t: CaseContext, options: ConnectOptions = {}) {
  const { account, decision, scopes, provider = "PROVIDER_C", ...fields } = options;
  const [session, browser] = [await createSession(t, { provider, ...fields }), t.browser()];
  const callback = await t.provider.consent(await launched(t, session, browser), {
    account: account ?? GOOD_ACCOUNT[provider],
    ...(decision !== undefined && { decision }),
    ...(scopes !== undefined && { scopes }),
  });
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
  options: ConnectOptions & {
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

export async function attempt(t: CaseContext, options: ConnectOptions = {}) {
  const { session, browser, callback } = await consented(t, options);
  await browser.get(callback);
  return { scope: session.scope, session, result: await resultOf(t, session) };
}

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

/** Headers of requests that browsers and previews send ahead of a person. */
export const AHEAD: readonly Readonly<Record<string, string>>[] = [
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "x-moz": "prefetch" },
];

/** Everything that opens a callback before the person: browsers ahead of a click, link checkers, previews and mail scanners. */
export async function visitAhead(t: CaseContext, browser: Browser, callback: URL): Promise<void> {
  changesNothing(t, await browser.head(callback), "HEAD");
  for (const headers of AHEAD) changesNothing(t, await browser.get(callback, headers), JSON.stringify(headers));
  changesNothing(t, await t.browser().head(callback), "HEAD of another program");
  errorPage(
    t,
    await t.browser().get(callback),
    [400, 403, 410],
    "GET of a link preview, without the browser's cookies",
  );
}

export function changesNothing(t: CaseContext, visit: Visit, what: string): void {
  t.oneOf(visit.status, [204, 425], `${what}: HTTP status`);
  t.equal([visit.text, visit.location, visit.headers.getSetCookie()], ["", null, []], `${what}: nothing else`);
}
