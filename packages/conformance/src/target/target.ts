import type { ALL_CAPABILITIES, Provider } from "../description/providers.ts";
import type { WireBody } from "../wire/call.ts";

export type { Provider };
export type Capability = (typeof ALL_CAPABILITIES)[number];

/**
 * What a server that claims to be this service offers to the suite. The consumer API and the connect host are the
 * service itself; every other member is a driver through which a case causes what callers cannot: time that passes, a
 * provider that fails, an operator's changes. A target without a driver is not tested on what needs that driver.
 */
export interface Target {
  /**
   * How requests reach the service: its APIs, its pages and its panel. `globalThis.fetch` when absent; a target in this
   * process has its own. It must not follow redirects (`redirect: "manual"` is passed).
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * For a target without background work: runs the next due task, one at a time, so that intermediate states are
   * visible; without due tasks, lets up to a second of its time pass. It is called between two polls of a waiting case.
   */
  settle?(): Promise<void>;
  /** The application that cases use where the target cannot create an application per case. */
  readonly application: Application;
  /** False when no tenant of that application is known: `tenantKey` is then unregistered. */
  readonly knowsTenant?: boolean;
  readonly connectHost: string;
  readonly clock?: ClockDriver | undefined;
  readonly provider?: ProviderDriver | undefined;
  readonly identity?: IdentityDriver | undefined;
  readonly operator?: OperatorDriver | undefined;
  readonly admin?: AdminDriver | undefined;
  readonly storage?: StorageDriver | undefined;
  readonly events?: EventsDriver | undefined;
  /** Which origins count as previews, with `{label}` for one DNS label; null where the deployment has none. */
  readonly previewTemplate?: string | null | undefined;
  /** The connect host accepts plain HTTP/1.1 on a TCP socket to which a case can write raw bytes. */
  readonly rawSocket: boolean;
  close(): Promise<void>;
}

/** One registered application as its backend knows it. */
export interface Application {
  readonly baseUrl: string;
  readonly key: string;
  readonly tenantKeys: readonly [string, ...string[]];
  readonly returnUrl: string;
  readonly identityReturnUrl: string;
  /** The origin of its pages: the only origin from which launch forms may be posted. */
  readonly webOrigin: string;
}

/** A clock of the service that only moves forward. */
export interface ClockDriver {
  now(): Promise<Date>;
  advance(milliseconds: number): Promise<void>;
}

export interface ConsentChoice {
  readonly account: string;
  readonly decision?: "allow" | "deny";
  /** The selected scopes; all requested ones when absent. */
  readonly scopes?: (offered: readonly string[]) => readonly string[];
}

export interface ProviderPost {
  readonly id: string;
  readonly publishedAt: string;
  readonly visibility: "public" | "unlisted" | "private" | "deleted";
  /** The URL that a user would copy. */
  readonly url: string;
}

/** Defaults come from the account. */
export interface NewProviderPost {
  readonly publishedAt?: Date;
  readonly title?: string;
  /** Its description or caption. */
  readonly text?: string;
  readonly form?: "video" | "image" | "carousel" | "reel";
}

export interface TesterAccount {
  readonly provider: Provider;
  /** The name of its script. */
  readonly account: string;
  readonly accountId: string;
}

export type ProviderFault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: "rate-limited"; readonly quota?: boolean; readonly retryAfterSeconds?: number }
  | { readonly kind: "delay"; readonly delayMs: number }
  /** With a code that no provider documents. */
  | { readonly kind: "refused" };

/** Calls of the service that can fail; ignored where a provider has no such call. */
export type ProviderCall = "any" | "exchange" | "refresh" | "revoke" | "profile" | "list";

export interface DeletionReceipt {
  /** The public page that shows the status of the request. */
  readonly url: string;
  readonly confirmationCode: string;
}

/** The driver of the providers: test accounts by the names of their scripts, and their changes. */
export interface ProviderDriver {
  /**
   * Publishes what the accounts would have published until now. An earlier run that moved the clock leaves them without
   * new posts, and background reads cover only the last days.
   */
  catchUp(now: Date): Promise<void>;
  consent(authorizationUrl: string, choice: ConsentChoice): Promise<URL>;
  /** Every account that may connect in sandbox mode once an operator has added it to an application's testers. */
  testers(): Promise<readonly TesterAccount[]>;
  accountId(provider: Provider, account: string): Promise<string>;
  posts(provider: Provider, account: string): Promise<readonly ProviderPost[]>;
  publish(provider: Provider, account: string, post?: NewProviderPost): Promise<ProviderPost>;
  setVisibility(
    provider: Provider,
    account: string,
    postId: string,
    visibility: ProviderPost["visibility"],
  ): Promise<void>;
  /** Ends every grant of the account without notifying any client. */
  endGrants(provider: Provider, account: string): Promise<void>;
  /**
   * The user removes the application, now or at an earlier time, and later consents stay. A provider with deauthorize
   * callbacks or webhooks sends one now.
   */
  removeApp(provider: Provider, account: string, at?: Date): Promise<void>;
  /**
   * The user asks the provider for the deletion of their data, now or at an earlier time. Returns the service's response;
   * null if it refuses. Only at a provider with data deletion requests.
   */
  requestDeletion(provider: Provider, account: string, at?: Date): Promise<DeletionReceipt | null>;
  /** The account's calls fail until the returned function is called; without an account, all calls. */
  fault(
    provider: Provider,
    call: ProviderCall,
    fault: ProviderFault,
    options?: { readonly account?: string; readonly count?: number },
  ): Promise<() => Promise<void>>;
  /** How many calls for the account will still fail by faults with a count. */
  faultsLeft(provider: Provider, account: string): Promise<number>;
}

export interface SignInChoice {
  readonly person: string;
  readonly decision?: "allow" | "deny";
}

export interface IdentityDriver {
  readonly issuer: string;
  signIn(authorizationUrl: string, choice: SignInChoice): Promise<URL>;
  setFaults(faults: readonly string[]): Promise<void>;
}

/** Applications and registrations of an operator. Cases change their applications through the admin API. */
export interface OperatorDriver {
  /** An application for one case, with two tenants. */
  createApplication(): Promise<Application>;
  /** Ends an application that was created here; a target that can delete it with its data does so. */
  removeApplication(application: Application): Promise<void>;
  /** The admin API's view of an application that was created here. */
  clientId(application: Application): Promise<string>;
  /** Allows these accounts to connect. Absent where every account of the provider driver may. */
  addTesters?(application: Application, accounts: readonly TesterAccount[]): Promise<void>;
  /** Affects every application: only for exclusive cases. */
  setRegistrationStatus(provider: Provider, status: "PUBLISHED" | "PAUSED" | "DISABLED"): Promise<void>;
  /** While `during` runs, the provider's registration differs. Only for exclusive cases. */
  whileChanged<Result>(provider: Provider, change: RegistrationChange, during: () => Promise<Result>): Promise<Result>;
}

export interface RegistrationChange {
  /** It serves no client. */
  readonly clientIds?: readonly [];
  readonly capabilities?: readonly Capability[];
  /** It requests one capability's scopes for another one, as if an operator had configured it incorrectly. */
  readonly scopes?: { readonly of: Capability; readonly as: Capability };
}

/** What no API can do to a service: make its storage fail, or lock it. */
export interface StorageDriver {
  /** While `during` runs, stored posts cannot be read, as if storage had failed. Only for exclusive cases. */
  withBrokenContent<Result>(during: () => Promise<Result>): Promise<Result>;
  /** While `during` runs, an unfinished transaction changes the client. */
  whileClientIsBusy<Result>(clientId: string, during: () => Promise<Result>): Promise<Result>;
  /** While `during` runs, unfinished transactions connect accounts beside this connection. Only for exclusive cases. */
  whileOthersConnect<Result>(connectionId: string, during: () => Promise<Result>): Promise<Result>;
  /** Stores copies of an attempt, each of another subject. Absent where the API starts thousands within seconds. */
  repeatAttempt?(sessionId: string, times: number): Promise<void>;
  /** Deletes a client with all its data, so that a target that is used again is unchanged. */
  forgetClient(clientId: string): Promise<void>;
}

/** Answers the request of an event. */
export type EventReceiver = (request: Request) => Promise<Response>;

/** An event endpoint of an application. */
export interface EventEndpoint {
  readonly secret: string;
  isEnabled(): Promise<boolean>;
  setEnabled(enabled: boolean): Promise<void>;
  /** Replaces the secret, and returns the new one. */
  rotate(): Promise<string>;
  /** Returns the id of the event. */
  sendTest(): Promise<string>;
  /** Removes it, and ends its receiver. */
  remove(): Promise<void>;
}

/** An event as the service stores it, with the fields of its `data`. */
export interface StoredEvent extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
}

/** The events of clients, by the admin API's id of the client. */
export interface EventsDriver {
  /** Adds an endpoint whose requests `receive` answers. `types`: empty or absent for all. */
  addEndpoint(clientId: string, receive: EventReceiver, types?: readonly string[]): Promise<EventEndpoint>;
  list(clientId: string): Promise<readonly StoredEvent[]>;
  /** Sends the stored events since a time again. */
  resend(clientId: string, since: Date): Promise<void>;
}

/** What a case may need: a driver, or something else that not every target has. */
const HAS = {
  /** A tenant that is registered for the application. */
  tenant: ({ knowsTenant }) => knowsTenant !== false,
  clock: ({ clock }) => clock !== undefined,
  provider: ({ provider }) => provider !== undefined,
  identity: ({ identity }) => identity !== undefined,
  operator: ({ operator, admin }) => operator !== undefined && admin !== undefined,
  admin: ({ admin }) => admin !== undefined,
  /** The panel as people use it: its sign-in, its endpoint with a browser's headers, and its pages for support. */
  "panel-session": ({ admin }) => admin?.panel.session !== undefined,
  storage: ({ storage }) => storage !== undefined,
  events: ({ events }) => events !== undefined,
  /** A deployment that has a preview template. */
  previews: ({ previewTemplate }) => (previewTemplate ?? null) !== null,
  "raw-socket": ({ rawSocket }) => rawSocket,
} satisfies Readonly<Record<string, (target: Target) => boolean>>;
export type Need = keyof typeof HAS;

export function missingNeeds(target: Target, needs: readonly Need[]): Need[] {
  return needs.filter((need) => !HAS[need](target));
}

/** How a run over several targets opens each of them. */
export interface TargetFactory {
  /** Heading of its column, e.g. `mock over HTTP`. */
  readonly name: string;
  /** A fresh service, which ends with `close()` of the target. */
  open(): Promise<Target>;
}

/** The admin API and panel of the service: two keys for the API, and users who sign in to the panel. */
export interface AdminDriver {
  /** Base URL; the API is at `{adminHost}/api/admin/graphql`. */
  readonly adminHost: string;
  /** A key of either scope, valid for the whole run, however far its clock is moved. */
  readonly readKey: string;
  readonly writeKey: string;
  /** The signed-in admin who owns both keys. */
  readonly panel: PanelDriver;
  /**
   * Signs a user in to the panel, by the issuer's name: `admin-two`, `ada` and `unicode` have verified addresses
   * `<name>@example.test`, `admin-unverified` and `admin-other-account` have the first admin's. null: rejected.
   */
  signIn(person: string): Promise<PanelDriver | null>;
}

/** One user's access to the panel, by the operations of the admin schema. */
export interface PanelDriver {
  readonly email: string;
  /**
   * Runs a document as the user. It signs in again when the session has expired, and once more when a response has
   * `__typename: "ConfirmationRequiredError"`; with `raw` it does neither.
   */
  run(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: { readonly raw?: boolean },
  ): Promise<PanelAnswer>;
  /** The headers of the user's browser; absent where the panel has no URL. */
  session?(): Promise<PanelSession>;
}

export type PanelAnswer = Pick<WireBody, "data" | "errors">;

export interface PanelSession {
  /** The endpoint to which the panel's pages post documents. */
  readonly endpoint: string;
  readonly origin: string;
  readonly cookie: string;
  readonly csrfToken: string;
}
