import type { SocialProvider } from "@social-connect/contract";
import { applicationKeyText, isInFlight } from "@social-connect/domain";
import { answer } from "../app/router.ts";
import { AccountControl } from "../control/accountControl.ts";
import { ApplicationControl, createApplication } from "../control/applicationControl.ts";
import { CallsControl } from "../control/callsControl.ts";
import { MockClock } from "../control/clockControl.ts";
import { type ConnectAttemptView, ConnectControl } from "../control/connectControl.ts";
import { ConnectionControl } from "../control/connectionControl.ts";
import { addEventEndpoint, type EventEndpointData, type EventsControl } from "../control/eventsControl.ts";
import { FaultsControl } from "../control/faultsControl.ts";
import { fieldsOf } from "../control/fields.ts";
import { IdentityControl } from "../control/identityControl.ts";
import { JobControl, type JobView, viewOf } from "../control/jobControl.ts";
import { ProviderFaultsControl } from "../control/providerFaultsControl.ts";
import { RegistrationControl } from "../control/registrationControl.ts";
import type { Incoming, Outcome } from "../http/exchange.ts";
import { ISSUER_LIES, type IssuerLie } from "../issuer/users.ts";
import { accountKey } from "../providers/accounts.ts";
import { ScenarioBuilder } from "../scenarios/builder.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioFacts, type ScenarioName } from "../scenarios/scenarios.ts";
import { mockFetch } from "../transports/fetch.ts";
import { handlersOf, loadMsw } from "../transports/mswHandlers.ts";
import { type Duration, durationMs } from "../util/duration.ts";
import { found, MockMisuseError, oneOf, requireGlobals } from "../util/misuse.ts";
import { type ApplicationOptions, defaultApplicationId, defaultKey } from "../world/initialState.ts";
import { readSnapshot, writeSnapshot } from "../world/snapshot.ts";
import type { World } from "../world/world.ts";
import { worldAt } from "../world/worldAt.ts";
import { AdminMock } from "./adminMock.ts";
import { controlRoutes } from "./controlRoutes.ts";
import { type MockOptions, makeEmptyWorld, makeWorld } from "./options.ts";

/** Longer than the retries of every job. */
const MAX_WORK = "72h";

/**
 * The service in memory, with the published schema and the rules of the service. A test controls the clock, consents,
 * provider failures and lost responses.
 */
export class ConsumerMock {
  readonly #world: World;
  readonly #initial: string;
  /** The initial state without the data of the options: scenarios start from it. */
  readonly #empty: () => string;
  readonly #eventEndpoints: readonly EventEndpointData[];
  /** A `fetch` that only reaches the mock; pass it to a client. */
  readonly fetch: typeof globalThis.fetch;
  /** The mock's clock; pass it to the SDK as its `clock`, so that it does not wait in real time. */
  readonly clock: MockClock;
  /** Adds faults to requests to the service. */
  readonly faults: FaultsControl;
  /** Adds faults to the service's calls at providers. */
  readonly providerFaults: ProviderFaultsControl;
  /** The log of requests, and assertions about it. */
  readonly calls: CallsControl;
  /** The admin API with the same state. */
  readonly admin: AdminMock;

  constructor(options: MockOptions = {}) {
    requireGlobals();
    this.#world = makeWorld(options);
    this.#eventEndpoints = options.eventEndpoints ?? [];
    this.#initial = this.snapshot();
    this.#empty = () => writeSnapshot(makeEmptyWorld(options).state, this.#world.settings.clock);
    this.fetch = mockFetch((request) => this.answer(request), this.origins);
    this.clock = new MockClock(this.#world);
    this.faults = new FaultsControl(this.#world);
    this.providerFaults = new ProviderFaultsControl(this.#world);
    this.calls = new CallsControl(this.#world);
    this.admin = new AdminMock(this.#world, this);
  }

  /** The seed as a string. */
  get seed(): string {
    return this.#world.state.seed;
  }

  /** The base URL of the consumer API, without `/graphql`. */
  get baseUrl(): string {
    return this.#world.settings.baseUrl;
  }

  /** The base URL of the pages of Connect and of the identity handoff. */
  get connectHost(): string {
    return this.#world.settings.connectHost;
  }

  /** The issuer of the identity provider. */
  get issuer(): string {
    return this.#world.settings.issuerUrl;
  }

  /** Whether strict mode is on; see ASSUMPTIONS. */
  get isStrict(): boolean {
    return this.#world.settings.strict;
  }

  /** Every origin of the mock. */
  get origins(): readonly string[] {
    const { baseUrl, connectHost, adminHost } = this.#world.settings;
    return [...new Set([baseUrl, connectHost, adminHost].map((url) => new URL(url).origin))];
  }

  /** The key of the default application. */
  get key(): string {
    return applicationKeyText(defaultKey(this.seed));
  }

  /** The default application. */
  get application(): ApplicationControl {
    return this.applicationById(defaultApplicationId(this.seed));
  }

  /** The event endpoints of the default application, and the events that they receive. */
  get events(): EventsControl {
    return this.application.events;
  }

  /** A default scope: the first tenant of the default application, and a user. */
  get scope(): { readonly tenantKey: string; readonly externalSubjectId: string } {
    return { tenantKey: this.application.tenantKeys[0] ?? "acme", externalSubjectId: "user-1" };
  }

  /** The first return URL of the default application. */
  get returnUrl(): string {
    return this.application.returnUrls[0] ?? "";
  }

  /** The first identity return URL of the default application. */
  get identityReturnUrl(): string {
    return this.application.identityReturnUrls[0] ?? "";
  }

  /** Answers a request of any transport. */
  async answer(request: Incoming): Promise<Outcome> {
    const world = request.baseUrl === undefined ? this.#world : worldAt(this.#world, request.baseUrl);
    return answer(world, request, (incoming, path) => controlRoutes(this, world, incoming, path));
  }

  /**
   * Handlers for MSW: `setupServer(...mock.handlers())`. MSW is optional, so the type is `never[]`, which MSW accepts. In
   * browsers, use `handlers` of `@social-connect/mocks/msw`.
   */
  handlers(): never[] {
    return handlersOf(loadMsw(), this) as never[];
  }

  /** Controls a connect attempt: `mock.connect(session.id).complete({ account: "channel-1" })`. */
  connect(sessionId: string): ConnectControl {
    return new ConnectControl(this.#world, sessionId);
  }

  /** Connect attempts that the service still knows, oldest first. */
  connectAttempts(): readonly ConnectAttemptView[] {
    return [...this.#world.state.connectAttempts.keys()].map((id) => this.connect(id).state);
  }

  /** Controls an identity session. */
  identity(sessionId: string): IdentityControl {
    return new IdentityControl(this.#world, sessionId);
  }

  /** Controls a job, including background jobs. Throws a MockMisuseError for an unknown id. */
  job(id: string): JobControl {
    return new JobControl(this.#world, id);
  }

  /** Jobs, optionally of one connection, oldest first. */
  jobs(connectionId?: string): readonly JobView[] {
    const { jobs, connections } = this.#world.state;
    const list = [...jobs.values()].filter((job) => connectionId === undefined || job.connectionId === connectionId);
    if (list.length === 0 && connectionId !== undefined) found(connections, connectionId, "connection");
    return list.map(viewOf);
  }

  /** Controls a connection. Throws a MockMisuseError for an unknown or erased connection. */
  connection(id: string): ConnectionControl {
    return new ConnectionControl(this.#world, id);
  }

  /** Connections that are not erased, oldest first. */
  connections(): readonly ConnectionControl[] {
    return [...this.#world.state.connections.keys()].map((id) => this.connection(id));
  }

  /** Controls an account at a provider. Every name is an account; some names have scripts. */
  account(provider: SocialProvider, name: string): AccountControl {
    const account = new AccountControl(this.#world, provider, name);
    this.#world.state.providers.named.set(accountKey(provider, name), { provider, account: name });
    return account;
  }

  /** Controls the service's registration at a provider. */
  registration(provider: SocialProvider): RegistrationControl {
    return new RegistrationControl(this.#world, provider);
  }

  /** Registers another application. */
  createApplication(options: ApplicationOptions = {}): ApplicationControl {
    return createApplication(this.#world, options);
  }

  /** Controls an application. Throws a MockMisuseError for an unknown id. */
  applicationById(id: string): ApplicationControl {
    return new ApplicationControl(this.#world, id);
  }

  /** Sets the faults of the identity provider; an empty list removes them. */
  lieAboutIdentity(lies: readonly IssuerLie[]): void {
    fieldsOf({ lies }, { lies: { each: ISSUER_LIES } });
    this.#world.state.providers.issuerFaults = [...lies];
  }

  /**
   * Advances the clock until every job has ended, including retries, and every event was sent once. Returns the elapsed
   * milliseconds.
   */
  async settle(options: { readonly within?: Duration } = {}): Promise<number> {
    const world = this.#world;
    const startMs = world.nowMs();
    const { within = MAX_WORK } = fieldsOf(options, { within: "duration" });
    const endMs = startMs + durationMs(within);
    for (;;) {
      const { jobs, eventDeliveries } = world.state;
      const due = [...jobs.values()].flatMap((job) =>
        isInFlight(job.status) && job.dueAtMs !== null ? [job.dueAtMs] : [],
      );
      for (const { tries, nextTryAt } of eventDeliveries.values())
        if (tries === 0 && nextTryAt !== null) due.push(nextTryAt.getTime());
      const next = due.length === 0 ? null : due.reduce((one, other) => Math.min(one, other));
      if (next === null || next > endMs) return world.nowMs() - startMs;
      await world.advanceTo(Math.max(next, world.nowMs()));
    }
  }

  /** Advances the clock to the next task within a second and runs it; without a task, advances by a second. */
  async step(): Promise<void> {
    const untilMs = this.#world.nowMs() + 1_000;
    if (this.#world.isWaitedFor) await this.#world.advanceTo(Math.min(this.#world.nextMs() ?? untilMs, untilMs));
    else if (!this.#world.runNext(untilMs)) await this.#world.advanceTo(untilMs);
    await this.#world.finishBegun();
  }

  /**
   * Resets the mock, including faults, call log and clock, and loads a scenario without the data of the options, except
   * `eventEndpoints`. Returns the scenario's facts.
   */
  async load<Name extends ScenarioName>(name: Name): Promise<ScenarioFacts<Name>> {
    oneOf(name, SCENARIO_NAMES, "scenario");
    this.restore(this.#empty());
    const facts = await SCENARIOS[name].prepare(new ScenarioBuilder(this, this.#world));
    for (const endpoint of this.#eventEndpoints) addEventEndpoint(this.events, endpoint);
    return facts as ScenarioFacts<Name>;
  }

  /** Restores the initial state with the data of the options, including the clock and the random numbers. */
  reset(): void {
    this.restore(this.#initial);
  }

  /** Serializes the state, without keys, tokens and proofs. */
  snapshot(): string {
    this.#world.recordTime();
    const { state, settings } = this.#world;
    return writeSnapshot(state, settings.clock);
  }

  /** Restores a snapshot exactly: later requests return the same responses as after the snapshot. */
  restore(snapshot: string): void {
    if (typeof snapshot !== "string") throw new MockMisuseError("Pass a string that snapshot() has returned.");
    const { state, settings } = this.#world;
    this.#world.replace(readSnapshot(snapshot, state, settings.clock));
  }
}

/** Creates a mock of the consumer API. Mocks with the same seed and `now` return the same bytes for the same requests. */
export function createConsumerMock(options: MockOptions = {}): ConsumerMock {
  return new ConsumerMock(options);
}

/** Creates a mock of the admin API, with the state of the consumer mock `link`, or with new state. */
export function createAdminMock(options: MockOptions | { readonly link: ConsumerMock } = {}): AdminMock {
  return "link" in options ? options.link.admin : new ConsumerMock(options).admin;
}
