import type { AdminDriver } from "./adminDriver.ts";

export type Provider = "PROVIDER_A" | "PROVIDER_B" | "PROVIDER_C";
export type Capability = "PROFILE" | "CONTENT_LIST" | "CONTENT_LOOKUP" | "CONTENT_METRICS";

/**
 * What a server that claims to be this service offers to the suite. The consumer API and the connect host are the service
 * itself; every other member is a driver through which a case may cause what callers cannot: time that passes, a provider
 * that misbehaves, an operator at work. A target without a driver is not judged on what only that driver can bring about.
 */
export interface Target {
  readonly name: string;
  /**
   * How requests reach the service: its APIs, its pages and its admin side. `globalThis.fetch` when absent; a target inside
   * this process brings its own. Redirects are never followed by it (`redirect: "manual"` is passed).
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * For a target in which nothing happens by itself: does the next thing that is due, one at a time, so that what lies between
   * can be seen; where nothing is due, lets up to a second of its time pass. It is called between two looks of a case that waits.
   */
  settle?(): Promise<void>;
  /** The application that cases call with where the target cannot make one for each of them. */
  readonly application: Application;
  /** False where nobody has told a tenant of that application: the one that it names is then none. */
  readonly knowsTenant?: boolean;
  /** Another application of the same service, which must never see anything of the first. */
  readonly secondApplication?: Application | undefined;
  readonly connectHost: string;
  readonly clock?: ClockDriver | undefined;
  readonly provider?: ProviderDriver | undefined;
  readonly identity?: IdentityDriver | undefined;
  readonly operator?: OperatorDriver | undefined;
  readonly admin?: AdminDriver | undefined;
  readonly storage?: StorageDriver | undefined;
  /** Which origins count as previews, with `{label}` for one DNS label; null where the deployment has none. */
  readonly previewTemplate?: string | null | undefined;
  /** The connect host speaks plain HTTP/1.1 on a TCP socket that a case may write to byte by byte. */
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
  /** Where its pages are served: the only origin a launch form may come from. */
  readonly webOrigin: string;
}

/** A clock of the service that moves ahead when it is told to, and never back. */
export interface ClockDriver {
  now(): Promise<Date>;
  advance(milliseconds: number): Promise<void>;
}

/** What a person does on a provider's consent page. */
export interface ConsentChoice {
  readonly account: string;
  readonly decision?: "allow" | "deny";
  /** Left ticked; all that were asked for when absent. */
  readonly scopes?: (offered: readonly string[]) => readonly string[];
}

export interface ProviderPost {
  readonly id: string;
  readonly publishedAt: string;
  readonly visibility: "public" | "unlisted" | "private" | "deleted";
  /** The address a person would copy. */
  readonly url: string;
}

/** What is left out is up to the account. */
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
  /** The provider's own id of it. */
  readonly accountId: string;
}

export type ProviderFault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
  | { readonly kind: "rate-limited"; readonly quota?: boolean; readonly retryAfterSeconds?: number }
  | { readonly kind: "delay"; readonly delayMs: number };

/** Calls of the service that a fault can be put on; what a provider has no such call for is left alone. */
export type ProviderCall = "any" | "exchange" | "refresh" | "revoke" | "profile" | "list";

/** The providers' side: test accounts by the names of their scripts, and what becomes of them. */
export interface ProviderDriver {
  /**
   * Publishes what the accounts would have published by now. A clock that a run before this one has moved leaves them with
   * nothing new, and what the service reads by itself are the last days.
   */
  catchUp(now: Date): Promise<void>;
  /** Walks through the consent page; the address that the browser is sent back to. */
  consent(authorizationUrl: string, choice: ConsentChoice): Promise<URL>;
  /** Every account that may connect in sandbox mode, once an operator has put it on an application's list. */
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
  /** Every grant of the account is over; nobody is told. */
  endGrants(provider: Provider, account: string): Promise<void>;
  /**
   * The person removes the application, or did so at an earlier moment, and consents given since stay. A provider that tells
   * its clients does so now.
   */
  removeApp(provider: Provider, account: string, at?: Date): Promise<void>;
  /** Until the returned function is called, the account's calls go wrong; without an account, everybody's. */
  fault(
    provider: Provider,
    call: ProviderCall,
    fault: ProviderFault,
    options?: { readonly account?: string; readonly count?: number },
  ): Promise<() => Promise<void>>;
  /** How many calls for the account are still to go wrong by the faults that were put on it with a count. */
  faultsLeft(provider: Provider, account: string): Promise<number>;
}

/** What somebody does on the identity provider's sign-in page. */
export interface IdentityDriver {
  readonly issuer: string;
  signIn(
    authorizationUrl: string,
    choice: { readonly person: string; readonly decision?: "allow" | "deny" },
  ): Promise<URL>;
  /** Makes the issuer lie in the named ways until it is called again. */
  lie(lies: readonly string[]): Promise<void>;
}

export interface ApplicationOptions {
  readonly providers?: readonly Provider[];
  readonly capabilities?: readonly Capability[];
  readonly tenantKeys?: readonly [string, ...string[]];
  readonly idpIdentityEnabled?: boolean;
}

export interface PolicyOptions extends Omit<ApplicationOptions, "tenantKeys"> {
  readonly tenantKeys?: readonly string[];
}

/** What only an operator can do. An application made here belongs to one case alone. */
export interface OperatorDriver {
  createApplication(options?: ApplicationOptions): Promise<Application>;
  /** Ends an application that was made here; a target that can forget it with all that belongs to it does. */
  removeApplication(application: Application): Promise<void>;
  /** How the admin side knows an application that was made here. */
  clientId(application: Application): Promise<string>;
  /** Lets these accounts connect. Absent where every account of the provider driver may. */
  addTesters?(application: Application, accounts: readonly TesterAccount[]): Promise<void>;
  setEnabled(application: Application, enabled: boolean): Promise<void>;
  setPolicy(application: Application, policy: PolicyOptions): Promise<void>;
  setPreviews(
    application: Application,
    previews: { readonly enabled: boolean; readonly paths: readonly string[] },
  ): Promise<void>;
  addReturnUrl(application: Application, url: string): Promise<void>;
  issueKey(application: Application, options?: { readonly expiresInDays?: number }): Promise<string>;
  revokeKey(application: Application, key: string): Promise<void>;
  /** Concerns every application: only for cases that run alone. */
  setRegistrationStatus(provider: Provider, status: "PUBLISHED" | "PAUSED" | "DISABLED"): Promise<void>;
  /** Whether the provider's registration serves anybody. Only for cases that run alone. */
  setServed(provider: Provider, served: boolean): Promise<void>;
  /** While `during` runs, the provider's registration serves these capabilities. Only for cases that run alone. */
  withCapabilitiesOf<Result>(
    provider: Provider,
    capabilities: readonly Capability[],
    during: () => Promise<Result>,
  ): Promise<Result>;
  /**
   * While `during` runs, the provider's registration asks for no more scopes for one capability than for another, as when an
   * operator has filled it in wrong. Only for cases that run alone.
   */
  withScopesOf<Result>(
    provider: Provider,
    capability: Capability,
    as: Capability,
    during: () => Promise<Result>,
  ): Promise<Result>;
}

/** What no API can do to a service: to take its storage away, or to hold it. */
export interface StorageDriver {
  /** While `during` runs, stored posts cannot be read, as when storage has broken. Only for cases that run alone. */
  withBrokenContent<Result>(during: () => Promise<Result>): Promise<Result>;
  /** While `during` runs, somebody else is changing the client and does not come to an end. */
  whileClientIsBusy<Result>(clientId: string, during: () => Promise<Result>): Promise<Result>;
  /**
   * While `during` runs, others connect accounts beside this connection's and do not come to an end. Only for cases that run
   * alone.
   */
  whileOthersConnect<Result>(connectionId: string, during: () => Promise<Result>): Promise<Result>;
  /** Forgets a client with all that belongs to it, so that a target which is used again stays as it was. */
  forgetClient(clientId: string): Promise<void>;
}

/** A driver, or another thing a case cannot do without. */
export type Need =
  /** A tenant that is registered for the application. */
  | "tenant"
  | "clock"
  | "provider"
  | "identity"
  | "operator"
  | "admin"
  /** The panel's own address, by the headers a browser sends there. */
  | "panel-session"
  | "storage"
  /** A deployment that has a preview template. */
  | "previews"
  | "second-application"
  | "raw-socket";

export function missingNeeds(target: Target, needs: readonly Need[]): Need[] {
  const has: Record<Need, boolean> = {
    tenant: target.knowsTenant !== false,
    clock: target.clock !== undefined,
    provider: target.provider !== undefined,
    identity: target.identity !== undefined,
    operator: target.operator !== undefined,
    admin: target.admin !== undefined,
    "panel-session": target.admin?.panel.session !== undefined,
    storage: target.storage !== undefined,
    previews: (target.previewTemplate ?? null) !== null,
    "second-application": target.secondApplication !== undefined,
    "raw-socket": target.rawSocket,
  };
  return needs.filter((need) => !has[need]);
}

/** How a run over several targets comes by each of them. */
export interface TargetFactory {
  /** Heading of its column, e.g. `mock over HTTP`. */
  readonly name: string;
  /** A fresh service, which ends with `close()` of the target. */
  open(): Promise<Target>;
}
