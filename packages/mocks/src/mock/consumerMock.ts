import type { SocialProvider } from "@social-connect/contract";
import { applicationKeyText, isInFlight } from "@social-connect/domain";
import { answer } from "../app/router.ts";
import { AccountControl } from "../control/accountControl.ts";
import { ApplicationControl, createApplication } from "../control/applicationControl.ts";
import { CallsControl } from "../control/callsControl.ts";
import { MockClock } from "../control/clockControl.ts";
import { ConnectControl } from "../control/connectControl.ts";
import { ConnectionControl } from "../control/connectionControl.ts";
import { FaultsControl } from "../control/faultsControl.ts";
import { fieldsOf } from "../control/fields.ts";
import { IdentityControl } from "../control/identityControl.ts";
import type { JobView } from "../control/jobControl.ts";
import { JobControl, viewOf } from "../control/jobControl.ts";
import { ProviderFaultsControl } from "../control/providerFaultsControl.ts";
import { RegistrationControl } from "../control/registrationControl.ts";
import type { Incoming, Outcome } from "../http/exchange.ts";
import type { IssuerLie } from "../issuer/issuerFaults.ts";
import { ISSUER_LIES } from "../issuer/issuerFaults.ts";
import { accountKey } from "../providers/accounts.ts";
import { ScenarioBuilder } from "../scenarios/builder.ts";
import type { ScenarioFacts, ScenarioName } from "../scenarios/scenarios.ts";
import { SCENARIO_NAMES, SCENARIOS } from "../scenarios/scenarios.ts";
import { fetchDoor } from "../transports/fetch.ts";
import { loadMsw } from "../transports/loadMsw.ts";
import { handlersOf } from "../transports/mswHandlers.ts";
import type { Duration } from "../util/duration.ts";
import { durationMs } from "../util/duration.ts";
import { found, MockMisuseError, oneOf } from "../util/misuse.ts";
import type { ApplicationOptions } from "../world/initialState.ts";
import { defaultApplicationId, defaultKey } from "../world/initialState.ts";
import { readSnapshot, writeSnapshot } from "../world/snapshot.ts";
import type { World } from "../world/world.ts";
import { AdminMock } from "./adminMock.ts";
import { controlRoutes } from "./controlRoutes.ts";
import type { MockOptions } from "./options.ts";
import { makeWorld } from "./options.ts";

/** Longer than any job is tried again. */
const LONGEST_WORK = "72h";

/**
 * The service in memory. It answers by the published schema and the service's own rules, and does what it is told besides:
 * time passes, people consent, providers fail and answers are lost, all when the test says so.
 */
export class ConsumerMock {
  readonly #world: World;
  readonly #begin: string;
  /** Reaches the mock and nothing else; pass it to a client as its `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** The mock's time; pass it to the SDK as its `clock`, and nothing waits in real time. */
  readonly clock: MockClock;
  /** Makes requests to the service go wrong. */
  readonly faults: FaultsControl;
  /** Makes the service's own calls at the providers go wrong. */
  readonly providerFaults: ProviderFaultsControl;
  /** What was asked for, and assertions about it. */
  readonly calls: CallsControl;
  /** The admin API of the same service. */
  readonly admin: AdminMock;

  constructor(options: MockOptions = {}) {
    this.#world = makeWorld(options);
    this.#begin = this.snapshot();
    this.fetch = fetchDoor((request) => this.answer(request), this.origins);
    this.clock = new MockClock(this.#world);
    this.faults = new FaultsControl(this.#world);
    this.providerFaults = new ProviderFaultsControl(this.#world);
    this.calls = new CallsControl(this.#world);
    this.admin = new AdminMock(this.#world, this);
  }

  /** What ids, tokens and posts follow from; a number as its text. */
  get seed(): string {
    return this.#world.state.seed;
  }

  /** The base address of the consumer API; `/graphql` is below it. */
  get baseUrl(): string {
    return this.#world.settings.baseUrl;
  }

  /** Where the browser side of Connect and of the identity handoff is. */
  get connectHost(): string {
    return this.#world.settings.connectHost;
  }

  /** The identity provider's issuer address, as results name it. */
  get issuer(): string {
    return this.#world.settings.issuerUrl;
  }

  /** Whether the choices of this project are switched off; see ASSUMPTIONS. */
  get isStrict(): boolean {
    return this.#world.settings.strict;
  }

  /** Every origin that the mock answers for. */
  get origins(): readonly string[] {
    const { baseUrl, connectHost, adminHost } = this.#world.settings;
    return [...new Set([baseUrl, connectHost, adminHost].map((url) => new URL(url).origin))];
  }

  /** The key of the application that the mock begins with. */
  get key(): string {
    return applicationKeyText(defaultKey(this.seed));
  }

  /** The application that the mock begins with. */
  get application(): ApplicationControl {
    return this.applicationById(defaultApplicationId(this.seed));
  }

  /** A tenant of that application, and one of its users: for tests to which it does not matter who it is. */
  get scope(): { readonly tenantKey: string; readonly externalSubjectId: string } {
    return { tenantKey: this.application.tenantKeys[0] ?? "acme", externalSubjectId: "user-1" };
  }

  /** A registered return URL, for tests to which it does not matter which. */
  get returnUrl(): string {
    return this.application.returnUrls[0] ?? "";
  }

  /** A registered return URL of the identity handoff. */
  get identityReturnUrl(): string {
    return this.application.identityReturnUrls[0] ?? "";
  }

  /** Answers one request, whichever door it came through. */
  async answer(request: Incoming): Promise<Outcome> {
    return answer(this.#world, request, (incoming, path) => controlRoutes(this, incoming, path));
  }

  /**
   * Handlers for MSW: `setupServer(...mock.handlers())`. This package is used without MSW too, so it cannot name MSW's type: they
   * are of one that fits wherever MSW takes handlers. `handlers` of `@social-connect/mocks/msw` gives the same, typed by MSW;
   * that is also the one for browsers.
   */
  handlers(): never[] {
    return handlersOf(loadMsw(), this) as never[];
  }

  /** Drives a connect attempt: `mock.connect(session.id).complete({ account: "channel-1" })`. */
  connect(sessionId: string): ConnectControl {
    return new ConnectControl(this.#world, sessionId);
  }

  /** Drives an identity session. */
  identity(sessionId: string): IdentityControl {
    return new IdentityControl(this.#world, sessionId);
  }

  /** Drives a job, whoever asked for it. Throws a MockMisuseError for an id that is none. */
  job(id: string): JobControl {
    return new JobControl(this.#world, id);
  }

  /** Jobs, the oldest first; of one connection where that is named. */
  jobs(connectionId?: string): readonly JobView[] {
    const { jobs, connections } = this.#world.state;
    const list = [...jobs.values()].filter((job) => connectionId === undefined || job.connectionId === connectionId);
    if (list.length === 0 && connectionId !== undefined) found(connections, connectionId, "connection");
    return list.map(viewOf);
  }

  /** Changes a connection. Throws a MockMisuseError for an id that is none, or of one that is erased. */
  connection(id: string): ConnectionControl {
    return new ConnectionControl(this.#world, id);
  }

  /** Connections that are not erased, the oldest first. */
  connections(): readonly ConnectionControl[] {
    return [...this.#world.state.connections.keys()].map((id) => this.connection(id));
  }

  /** An account at a provider. Any name is an account; some have scripts of their own. */
  account(provider: SocialProvider, name: string): AccountControl {
    const account = new AccountControl(this.#world, provider, name);
    this.#world.state.providers.named.set(accountKey(provider, name), { provider, account: name });
    return account;
  }

  /** The service's registration at a provider. */
  registration(provider: SocialProvider): RegistrationControl {
    return new RegistrationControl(this.#world, provider);
  }

  /** Registers another application. */
  createApplication(options: ApplicationOptions = {}): ApplicationControl {
    return createApplication(this.#world, options);
  }

  /** An application by its id. Throws a MockMisuseError for one that is not there. */
  applicationById(id: string): ApplicationControl {
    return new ApplicationControl(this.#world, id);
  }

  /** Makes the identity provider's answers wrong; an empty list makes them right again. */
  lieAboutIdentity(lies: readonly IssuerLie[]): void {
    fieldsOf({ lies }, { lies: { each: ISSUER_LIES } });
    this.#world.state.providers.identityLies = [...lies];
  }

  /**
   * Lets all work in flight come to its end, the waiting for retries included: the clock goes on as far as that takes, and no
   * further. Gives how much time has passed, in milliseconds.
   */
  async settle(options: { readonly within?: Duration } = {}): Promise<number> {
    const world = this.#world;
    const beganMs = world.nowMs();
    const { within = LONGEST_WORK } = fieldsOf(options, { within: "duration" });
    const endMs = beganMs + durationMs(within);
    for (;;) {
      const due = [...world.state.jobs.values()].flatMap((job) =>
        isInFlight(job.status) && job.dueAtMs !== null ? [job.dueAtMs] : [],
      );
      const next = due.length === 0 ? null : due.reduce((one, other) => Math.min(one, other));
      if (next === null || next > endMs) return world.nowMs() - beganMs;
      await world.advanceTo(Math.max(next, world.nowMs()));
    }
  }

  /** Does the next thing that is due within a second, and stands there; where there is none, lets the second pass. */
  async step(): Promise<void> {
    const untilMs = this.#world.nowMs() + 1_000;
    if (this.#world.isWaitedFor) await this.#world.advanceTo(Math.min(this.#world.nextMs() ?? untilMs, untilMs));
    else if (!this.#world.runNext(untilMs)) await this.#world.advanceTo(untilMs);
  }

  /**
   * Begins anew at a named starting point, and gives the ids and windows that belong to it. What was done before is
   * forgotten; the faults, the log and the clock too.
   */
  async load<Name extends ScenarioName>(name: Name): Promise<ScenarioFacts<Name>> {
    oneOf(name, SCENARIO_NAMES, "scenario");
    this.reset();
    const facts = await SCENARIOS[name].prepare(new ScenarioBuilder(this, this.#world));
    return facts as ScenarioFacts<Name>;
  }

  /** Everything as it was when the mock was made, the clock and the seed's numbers included. */
  reset(): void {
    this.restore(this.#begin);
  }

  /** All that the mock remembers, as text. It holds no key, token or proof. */
  snapshot(): string {
    const { state, settings } = this.#world;
    return writeSnapshot(state, settings.clock);
  }

  /** Goes back to a snapshot exactly: what is asked for then is answered as it was after the snapshot was taken. */
  restore(snapshot: string): void {
    if (typeof snapshot !== "string") throw new MockMisuseError("A snapshot is the text that snapshot() gave.");
    const { state, settings } = this.#world;
    this.#world.replace(readSnapshot(snapshot, state, settings.clock));
  }
}

/** Makes a mock of the consumer API. Two with the same seed and the same `now` give the same bytes for the same requests. */
export function createConsumerMock(options: MockOptions = {}): ConsumerMock {
  return new ConsumerMock(options);
}

/** Makes a mock of the admin API: of the consumer mock that is passed as `link`, or of a service of its own. */
export function createAdminMock(options: MockOptions | { readonly link: ConsumerMock } = {}): AdminMock {
  return "link" in options ? options.link.admin : new ConsumerMock(options).admin;
}
