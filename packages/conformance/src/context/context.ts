import { setTimeout as delay } from "node:timers/promises";
import type { Operations, SubjectScope } from "../_generated/consumerWire.ts";
import type { Application, ProviderDriver, Target, TesterAccount } from "../target/target.ts";
import { Browser } from "../wire/browser.ts";
import { ApiCaller, type RequestOptions } from "../wire/call.ts";
import { type Failure, invoke, type OperationName } from "../wire/documents.ts";
import type { Recorder } from "../wire/recorder.ts";
import { AdminApiClient } from "./adminApiClient.ts";
import type { ClockLine } from "./clockLine.ts";
import { Expectations, Mismatch } from "./expectation.ts";

const POLL_MS = 60;
/** Ends a hang: a busy machine takes several times as long as an idle one. */
const PATIENCE_MS = 120_000;

const testersOf = new WeakMap<Target, Promise<readonly TesterAccount[]>>();

/** What cases create besides their own applications, for the runner to remove. */
export interface Made {
  readonly applications: Application[];
  readonly clientIds: string[];
}

/** What a case works with: its own application, API calls, waits and comparisons. */
export class CaseContext extends Expectations {
  readonly target: Target;
  readonly application: Application;
  readonly api: ApiCaller;
  readonly made: Made;
  readonly #recorder: Recorder;
  readonly #clockLine: ClockLine | null;
  readonly #admitted = new Map<string, Promise<void>>();
  #admin: AdminApiClient | undefined;

  constructor(target: Target, application: Application, made: Made, recorder: Recorder, clockLine: ClockLine | null) {
    super();
    this.target = target;
    this.application = application;
    this.made = made;
    this.#recorder = recorder;
    this.#clockLine = clockLine;
    this.api = this.caller(application.key);
  }

  caller(key: string): ApiCaller {
    const { baseUrl } = this.application;
    return new ApiCaller({ baseUrl, key, recorder: this.#recorder, fetch: this.target.fetch });
  }

  browser(): Browser {
    return new Browser(this.#recorder, this.target.fetch);
  }

  /** A driver that the case declared as a need. */
  driver<Name extends "clock" | "provider" | "identity" | "operator" | "admin" | "storage" | "events">(name: Name) {
    const driver = this.target[name];
    if (driver === undefined) throw new Error(`The case uses the driver "${name}" without declaring it as a need.`);
    return driver as NonNullable<Target[Name]>;
  }

  /** The driver of the providers. An account with which a user consents becomes a tester of the case's application. */
  get provider(): ProviderDriver {
    const provider = this.driver("provider");
    return {
      ...provider,
      consent: async (authorizationUrl, choice) => {
        const adding = this.#admitted.get(choice.account) ?? this.#admit(choice.account);
        this.#admitted.set(choice.account, adding);
        await adding;
        return provider.consent(authorizationUrl, choice);
      },
    };
  }

  /** When a case uses them: one uses two or three of the eighty names, and most use none. */
  async #admit(account: string): Promise<void> {
    const { target, application } = this;
    if (target.operator?.addTesters === undefined || application === target.application) return;
    const all = testersOf.get(target) ?? this.driver("provider").testers();
    testersOf.set(target, all);
    const testers = (await all).filter((tester) => tester.account === account);
    await target.operator.addTesters(application, testers);
  }

  get admin(): AdminApiClient {
    const wire = { recorder: this.#recorder, fetch: this.target.fetch };
    this.#admin ??= new AdminApiClient(this.driver("admin"), this, wire, this.made.clientIds);
    return this.#admin;
  }

  /** Another application, with the same tenant keys. */
  async anotherApplication(): Promise<Application> {
    const application = await this.driver("operator").createApplication();
    this.made.applications.push(application);
    return application;
  }

  scope(tenantKey: string = this.application.tenantKeys[0]): SubjectScope {
    return { tenantKey, externalSubjectId: `conformance-${crypto.randomUUID()}` };
  }

  /** The report of the case must not contain it. */
  hides(secret: string): void {
    this.#recorder.secret(secret);
  }

  saw(observation: string): boolean {
    return this.#recorder.seen.has(observation);
  }

  async call<Name extends OperationName>(name: Name, args: Operations[Name]["args"], options?: RequestOptions) {
    return this.callWith(this.api, name, args, options);
  }

  /** The same with any caller and any arguments, including invalid ones. */
  async callWith<Name extends OperationName>(api: ApiCaller, name: Name, args: unknown, options?: RequestOptions) {
    const outcome = await invoke(api, name, args, options);
    if (outcome.ok) this.#recorder.secretsOf(outcome.value);
    return outcome;
  }

  async get<Name extends OperationName>(name: Name, args: Operations[Name]["args"]) {
    return this.value(await this.call(name, args), `${name} succeeds`);
  }

  async refuses<Name extends OperationName>(name: Name, args: unknown, code: string, what?: string): Promise<Failure> {
    return this.fails(await this.callWith(this.api, name, args), code, what ?? `${name} fails with ${code}`);
  }

  /**
   * Polls until the condition is true, with a timeout. Between two polls there is a short interval; a target without
   * background work is advanced instead, as often as other targets are polled.
   */
  async eventually<Value>(
    what: string,
    look: () => Promise<Value>,
    isThere: (value: Value) => boolean,
    patienceMs = PATIENCE_MS,
  ): Promise<Value> {
    const endMs = performance.now() + patienceMs;
    for (let pollsLeft = patienceMs / POLL_MS; ; pollsLeft -= 1) {
      const value = await look();
      if (isThere(value)) {
        this.holds(true, what);
        return value;
      }
      if (this.target.settle === undefined ? performance.now() > endMs : pollsLeft < 0)
        throw new Mismatch(`${what}, within ${patienceMs / 1000} seconds`, "that it becomes true", value);
      await (this.target.settle?.() ?? delay(POLL_MS));
    }
  }

  /** Waits until the service's clock has reached a time, or so long after it; for cases of the timeline. */
  until(moment: Date | string, laterMs = 0): Promise<void> {
    if (this.#clockLine === null) throw new Error("Only a case of the timeline may wait for the clock.");
    return this.#clockLine.until(new Date(new Date(moment).getTime() + laterMs));
  }
}
