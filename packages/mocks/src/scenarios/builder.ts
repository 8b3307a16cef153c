import {
  CAPABILITIES,
  type Capability,
  type ConnectCreatorAction,
  type SocialProvider,
} from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";
import type { AccountControl } from "../control/accountControl.ts";
import type { ApplicationControl } from "../control/applicationControl.ts";
import type { MockClock } from "../control/clockControl.ts";
import { type ConnectAttemptView, type ConnectControl, DEFAULT_ACCOUNT } from "../control/connectControl.ts";
import type { ConnectionControl } from "../control/connectionControl.ts";
import type { FaultsControl } from "../control/faultsControl.ts";
import type { IdentityControl } from "../control/identityControl.ts";
import type { JobControl, JobView } from "../control/jobControl.ts";
import type { RegistrationControl } from "../control/registrationControl.ts";
import { SYSTEM } from "../modules/admin/actor.ts";
import type { Caller } from "../modules/applications/authenticate.ts";
import { createConnectSession } from "../modules/connect/connectSessions.ts";
import { disconnectConnection } from "../modules/disconnect/disconnectConnection.ts";
import { createIdentitySession } from "../modules/identity/identitySessions.ts";
import { requestContentLookup, requestRefresh } from "../modules/jobs/requestRefresh.ts";
import { storedPosts } from "../modules/jobs/storeContent.ts";
import { createRegistration } from "../modules/registrations/changeRegistration.ts";
import type { ApplicationOptions } from "../world/initialState.ts";
import type { World } from "../world/world.ts";

/** A created session. */
export interface BegunSession {
  /** The id for `mock.connect` or `mock.identity`, and for the result. */
  readonly id: string;
  /** Where the browser posts the token. */
  readonly launchUrl: string;
  /** 64 hexadecimal characters, valid once. */
  readonly launchToken: string;
}

/** A window of publication times. */
export interface TimeWindow {
  /** ISO 8601 in UTC, inclusive. */
  readonly publishedAfter: string;
  /** ISO 8601 in UTC, exclusive. */
  readonly publishedBefore: string;
}

/** A linked account. */
export interface LinkedAccount {
  /** The connection of the attempt. */
  readonly connectionId: string;
  /** The connect attempt. */
  readonly sessionId: string;
}

/** A linked account and its first scan. */
export interface StartedScan extends LinkedAccount {
  readonly jobId: string;
}

/** A linked account whose posts have been read, newest first. */
export interface ReadAccount extends LinkedAccount {
  /** The window of the first scan. */
  readonly window: TimeWindow;
  /** The provider's ids of the stored posts. */
  readonly providerContentIds: readonly string[];
}

/** A disconnected connection with its jobs. */
export interface DisconnectFacts {
  /** The disconnected connection. */
  readonly connectionId: string;
  /** For `syncJob`, with the connection's id. */
  readonly revokeJobId: string;
  /** For `syncJob`, with the connection's id. */
  readonly eraseJobId: string;
  /** The creatorAction of the disconnect. */
  readonly creatorAction: ConnectCreatorAction | null;
}

export interface LinkOptions {
  readonly provider?: SocialProvider;
  readonly account?: string;
  readonly capabilities?: readonly Capability[];
  readonly reconnectConnectionId?: string;
}

/** The parts of a mock that scenarios use. */
interface ScenarioMock {
  readonly key: string;
  readonly application: ApplicationControl;
  readonly scope: SubjectScope;
  readonly returnUrl: string;
  readonly identityReturnUrl: string;
  readonly isStrict: boolean;
  readonly clock: MockClock;
  readonly faults: FaultsControl;
  connect(sessionId: string): ConnectControl;
  identity(sessionId: string): IdentityControl;
  job(id: string): JobControl;
  jobs(connectionId?: string): readonly JobView[];
  connection(id: string): ConnectionControl;
  account(provider: SocialProvider, name: string): AccountControl;
  registration(provider: SocialProvider): RegistrationControl;
  createApplication(options?: ApplicationOptions): ApplicationControl;
  settle(): Promise<number>;
  step(): Promise<void>;
}

/** Builds a scenario: calls the API's operations as the mock's own application and subject, and drives the mock's controls. */
export class ScenarioBuilder {
  readonly mock: ScenarioMock;
  readonly #world: World;

  constructor(mock: ScenarioMock, world: World) {
    this.mock = mock;
    this.#world = world;
  }

  begin({
    provider = "PROVIDER_A",
    capabilities = CAPABILITIES,
    reconnectConnectionId,
  }: LinkOptions = {}): BegunSession {
    const { scope, returnUrl } = this.mock;
    const input = { scope, provider, capabilities, returnUrl, reconnectConnectionId: reconnectConnectionId ?? null };
    const { id, launchUrl, launchToken } = createConnectSession(this.#world, this.#caller(), input);
    return { id, launchUrl, launchToken };
  }

  /** Starts an attempt and consents. The account's script decides the result. */
  connect(options: LinkOptions = {}): ConnectAttemptView {
    return this.mock.connect(this.begin(options).id).complete({ account: options.account ?? DEFAULT_ACCOUNT });
  }

  link(options: LinkOptions = {}): LinkedAccount {
    const { id, status, resultCode, connectionId } = this.connect(options);
    if (connectionId === null) throw new Error(`the attempt is ${status} (${resultCode})`);
    return { connectionId, sessionId: id };
  }

  /** Links an account and runs its first reads. */
  async linkAndRead(options: LinkOptions = {}): Promise<ReadAccount> {
    const linked = this.link(options);
    this.scanOf(linked.connectionId);
    await this.mock.settle();
    return { ...linked, ...this.readResult(linked.connectionId) };
  }

  /** Links an account and gives its first scan. */
  linkAndScan(options: LinkOptions = {}): StartedScan {
    const linked = this.link(options);
    return { ...linked, jobId: this.scanOf(linked.connectionId) };
  }

  /** Runs jobs until this one waits for a retry. */
  async stepToRetry(jobId: string): Promise<void> {
    while (this.mock.job(jobId).state.nextRetryAt === null) await this.mock.step();
  }

  /** The window of a connection's latest scan, and the stored posts. */
  readResult(connectionId: string): { readonly window: TimeWindow; readonly providerContentIds: readonly string[] } {
    return {
      window: this.windowOf(this.latestJob(connectionId, "SCAN")),
      providerContentIds: storedPosts(this.#world, connectionId).map((post) => post.providerContentId),
    };
  }

  windowOf(jobId: string): TimeWindow {
    const window = this.#world.state.jobs.get(jobId)?.window;
    if (!window) throw new Error("the job is not a scan");
    return {
      publishedAfter: window.publishedAfter.toISOString(),
      publishedBefore: window.publishedBefore.toISOString(),
    };
  }

  /** The first scan of a connection. In strict mode, linking starts no scan, so this requests it. */
  scanOf(connectionId: string): string {
    const { capabilities } = this.mock.connection(connectionId).state;
    if (this.mock.isStrict && capabilities.includes("CONTENT_LIST")) return this.refresh(connectionId);
    return this.latestJob(connectionId, "SCAN");
  }

  latestJob(connectionId: string, kind: string): string {
    const job = this.mock.jobs(connectionId).findLast((one) => one.kind === kind);
    if (job === undefined) throw new Error(`the connection has no ${kind} job`);
    return job.id;
  }

  /** The window between `from` and `to` days ago. */
  window(from: number, to: number): TimeWindow {
    const at = (days: number) => new Date(this.#world.nowMs() - days * 86_400_000).toISOString();
    return { publishedAfter: at(from), publishedBefore: at(to) };
  }

  /** Requests a scan of a window, by default of the last week, or the metrics of one post. */
  refresh(
    connectionId: string,
    what: { readonly window?: TimeWindow; readonly providerContentId?: string } = {},
  ): string {
    const { window, providerContentId } = what;
    const requested = window && {
      publishedAfter: new Date(window.publishedAfter),
      publishedBefore: new Date(window.publishedBefore),
    };
    const { scope } = this.mock;
    const target = { window: requested ?? null, providerContentId: providerContentId ?? null };
    return requestRefresh(this.#world, this.#caller(), { scope, connectionId, ...target }).id;
  }

  lookUp(connectionId: string, url: string): string {
    return requestContentLookup(this.#world, this.#caller(), { scope: this.mock.scope, connectionId, url }).id;
  }

  disconnect(connectionId: string): DisconnectFacts {
    const { revokeJobId, eraseJobId, creatorAction } = disconnectConnection(
      this.#world,
      this.#caller(),
      this.mock.scope,
      connectionId,
    );
    return { connectionId, revokeJobId, eraseJobId, creatorAction };
  }

  /** Creates a draft registration at a provider and returns its id. */
  draftRegistration(provider: SocialProvider): string {
    const { state } = this.#world;
    const open = [...state.registrations.values()].find((one) => one.provider === provider);
    if (open === undefined) throw new Error("the provider has no registration");
    const { addresses, capabilities } = open;
    const scopes = CAPABILITIES.map((capability) => ({ capability, scopes: open.scopes[capability] }));
    const input = { clientId: "another", clientSecret: "another secret", addresses, capabilities, scopes };
    return createRegistration(this.#world, SYSTEM, provider, { ...input, clientIds: null }).id;
  }

  beginIdentity(): BegunSession & { readonly resultProof: string } {
    const { tenantKey } = this.mock.scope;
    const input = { tenantKey, returnUrl: this.mock.identityReturnUrl };
    const { id, launchUrl, launchToken, resultProof } = createIdentitySession(this.#world, this.#caller(), input);
    return { id, launchUrl, launchToken, resultProof };
  }

  #caller(): Caller {
    const { id } = this.mock.application;
    const application = this.#world.state.applications.get(id);
    const [keyId = ""] = this.mock.key.split(".");
    if (application === undefined) throw new Error("the application does not exist");
    return { keyId, application };
  }
}
