import type { ConnectInput, Connection, ConnectSession, SubjectScope } from "../_generated/consumerWire.ts";
import { ALL_CAPABILITIES } from "../description/providers.ts";
import type { ConsentChoice, Provider, ProviderCall, SignInChoice } from "../target/target.ts";
import type { Browser, Visit } from "../wire/browser.ts";
import { AccountSteps, GOOD_ACCOUNT } from "./accounts.ts";
import { Mismatch } from "./expectation.ts";

export interface Session extends ConnectSession {
  readonly scope: SubjectScope;
}

/** What the application's page posts to launch an attempt or a sign-in. */
export type LaunchForm = Pick<ConnectSession, "launchUrl" | "launchToken">;

export interface ConnectOptions extends Partial<Omit<ConnectInput, "provider">> {
  readonly provider?: Provider;
  readonly account?: string;
  readonly decision?: "allow" | "deny";
  readonly scopes?: (offered: readonly string[]) => readonly string[];
}

export interface Connected {
  readonly scope: SubjectScope;
  readonly connectionId: string;
}

/** URLs that only resemble a preview's. */
export function nearPreviews(template: string, path: string): string[] {
  const at = (label: string) => template.replace("{label}", label);
  const withPath = ["a.b", "-x", "x-", "", "a/b", "user@x", "%61", "X"].map((label) => at(label) + path);
  const good = at("x");
  const otherScheme = good.replace(/^https?/, (scheme) => (scheme === "https" ? "http" : "https"));
  const others = [`${otherScheme}${path}`, template.replace("{label}.", "") + path, `${good}.evil.example${path}`];
  const ends = ["/", "/other", `${path}/`, `${path}?a=1`, `${path}#`, `/a/..${path}`];
  return [...withPath, ...others, ...ends.map((end) => good + end)];
}

/** Headers of requests that browsers and previews send ahead of a person. */
export const AHEAD: readonly Readonly<Record<string, string>>[] = [
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "x-moz": "prefetch" },
];

/** Connect attempts, from the launch form to their result, and the linked accounts. */
export class ConnectionSteps extends AccountSteps {
  connectInput(fields: Partial<ConnectInput> = {}): ConnectInput {
    return {
      scope: fields.scope ?? this.scope(),
      provider: "PROVIDER_C",
      capabilities: ALL_CAPABILITIES,
      returnUrl: this.application.returnUrl,
      ...fields,
    };
  }

  async createSession(fields: Partial<ConnectInput> = {}): Promise<Session> {
    const input = this.connectInput(fields);
    return { ...(await this.get("createConnectSession", { input })), scope: input.scope };
  }

  refusesSession(fields: Partial<ConnectInput>, code: string, what?: string) {
    return this.refuses("createConnectSession", { input: this.connectInput(fields) }, code, what);
  }

  resultOf({ scope, id }: Pick<Session, "scope" | "id">) {
    return this.get("connectSessionResult", { scope, id });
  }

  postLaunch(form: LaunchForm, options: { browser?: Browser; origin?: string | null | undefined } = {}) {
    const origin = options.origin === undefined ? this.application.webOrigin : options.origin;
    return (options.browser ?? this.browser()).post(form.launchUrl, { launchToken: form.launchToken }, origin);
  }

  async launched(session: LaunchForm, browser: Browser, origin?: string): Promise<string> {
    const visit = await this.postLaunch(session, { browser, origin });
    this.equal(visit.status, 303, "a launch form posted from the application's origin is redirected");
    return String(visit.location);
  }

  /** A launched attempt or sign-in in a browser of its own, and the page of the provider or the issuer. */
  async launchedIn<Form extends LaunchForm>(session: Form) {
    const browser = this.browser();
    return { session, browser, page: await this.launched(session, browser) };
  }

  /** The address of the attempt's consent pane. */
  paneOf({ id }: Pick<ConnectSession, "id">): URL {
    return new URL(`${this.target.connectHost}/api/connect/consent?attempt=${id}`);
  }

  /** From the launch form, through the provider's or the issuer's page, to the application's return URL. */
  async walkThrough(form: LaunchForm, choice: ConsentChoice | SignInChoice, browser = this.browser(), origin?: string) {
    const page = await this.launched(form, browser, origin);
    const callback = await ("person" in choice
      ? this.driver("identity").signIn(page, choice)
      : this.provider.consent(page, choice));
    return { callback, visit: await browser.get(callback) };
  }

  /** The providers at which the application can start an attempt, in order. */
  async availableProviders(): Promise<string[]> {
    const { providers } = await this.get("integrationReadiness", {});
    return providers.flatMap((entry) => (entry.available ? [entry.provider] : [])).toSorted();
  }

  async consented(options: ConnectOptions = {}) {
    const {
      provider = "PROVIDER_C",
      account = GOOD_ACCOUNT[provider],
      decision = "allow",
      scopes,
      ...fields
    } = options;
    const { session, browser, page } = await this.launchedIn(await this.createSession({ provider, ...fields }));
    const callback = await this.provider.consent(page, { account, decision, ...(scopes && { scopes }) });
    return { session, browser, callback };
  }

  untilExchanging(session: Session) {
    const read = () => this.resultOf(session);
    return this.eventually("the attempt reads EXCHANGING", read, ({ status }) => status === "EXCHANGING");
  }

  /**
   * An attempt whose exchange is delayed at the provider; `during` runs while it is EXCHANGING. Every such call for the
   * account is delayed, because a background read could consume a single delay. `held`: which response is delayed.
   */
  async whileExchanging(
    options: ConnectOptions & { readonly account: string; readonly delayMs: number; readonly held?: ProviderCall },
    during: () => Promise<void> = async () => {},
  ) {
    const { delayMs, held = "profile", ...fields } = options;
    const { provider = "PROVIDER_C", account } = fields;
    const { session, browser, callback } = await this.consented(fields);
    const visit = await this.whileFault(provider, held, { kind: "delay", delayMs }, { account }, async () => {
      const finished = browser.get(callback);
      await this.untilExchanging(session);
      await during();
      return finished;
    });
    return { session, visit };
  }

  async attempt(options: ConnectOptions = {}) {
    const { session, browser, callback } = await this.consented(options);
    await browser.get(callback);
    return { scope: session.scope, session, result: await this.resultOf(session) };
  }

  async mayConnectAgain(fields: Partial<ConnectInput>): Promise<void> {
    const input = this.connectInput(fields);
    const create = () => this.call("createConnectSession", { input });
    const what = "the subject may connect at the provider again";
    this.value(await this.eventually(what, create, (found) => found.ok || found.code !== "FORBIDDEN"));
  }

  /** Everything that opens a callback before the person: browsers ahead of a click, link checkers, previews and mail scanners. */
  async visitAhead(browser: Browser, callback: URL): Promise<void> {
    this.changesNothing(await browser.head(callback), "HEAD");
    for (const headers of AHEAD) this.changesNothing(await browser.get(callback, headers), JSON.stringify(headers));
    this.changesNothing(await this.browser().head(callback), "HEAD of another program");
    this.errorPage(await this.browser().get(callback), [400, 403, 410], "GET of a link preview, without cookies");
  }

  changesNothing(visit: Visit, what: string): void {
    this.oneOf(visit.status, [204, 425], `${what}: HTTP status`);
    this.equal([visit.text, visit.location, visit.headers.getSetCookie()], ["", null, []], `${what}: nothing else`);
  }

  async connect(options: ConnectOptions = {}): Promise<Connected> {
    const { scope, result } = await this.attempt(options);
    this.equal(result.status, "COMPLETED", `the attempt completes (resultCode ${result.resultCode})`);
    if (result.connectionId === null) throw new Mismatch("a completed attempt names its connection", "an id", null);
    return { scope, connectionId: result.connectionId };
  }

  async connectionRefused({ scope, connectionId }: Connected, code: string): Promise<void> {
    await this.refuses("connection", { scope, id: connectionId }, code);
  }

  readConnection({ scope, connectionId }: Connected): Promise<Connection> {
    return this.get("connection", { scope, id: connectionId });
  }

  /** The row as `connections` lists it, or null when it is not listed. */
  async listedConnection({ scope, connectionId }: Connected): Promise<Connection | null> {
    const page = await this.get("connections", { scope, first: 100 });
    return page.items.find((item) => item.id === connectionId) ?? null;
  }

  /** Connects, and waits for the connection's first scan and profile read. */
  async connectAndSettle(options: ConnectOptions = {}): Promise<Connected & { connection: Connection }> {
    const connected = await this.connect(options);
    const wanted = options.capabilities ?? ALL_CAPABILITIES;
    const isRead = (row: Connection) =>
      (!wanted.includes("CONTENT_LIST") || !["PENDING", "RUNNING"].includes(row.syncStatus)) &&
      (!wanted.includes("PROFILE") || row.profile !== null);
    const connection = await this.untilRow(connected, "the first reads of a connection end", isRead);
    return { ...connected, connection };
  }

  connectionOutcome({ scope, connectionId }: Connected) {
    return this.call("connection", { scope, id: connectionId });
  }

  /** Waits for a state of the connection. A read that itself detects a lost grant is refused. */
  async untilRow(connected: Connected, what: string, isThere: (row: Connection) => boolean, patienceMs?: number) {
    const look = () => this.connectionOutcome(connected);
    return this.value(await this.eventually(what, look, (found) => found.ok && isThere(found.value), patienceMs));
  }

  untilStatus(connected: Connected, status: string): Promise<Connection> {
    return this.untilRow(connected, `the connection becomes ${status}`, (row) => row.status === status);
  }
}
