import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { CallFailureKind, CallFault, ProviderCall } from "../state/providerCall.ts";
import { CALL_FAILURES, failing, failureOfStatus, PROVIDER_CALLS } from "../state/providerCall.ts";
import type { ProviderFaultRule } from "../state/providerState.ts";
import type { Duration } from "../util/duration.ts";
import { durationMs } from "../util/duration.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { accountFor } from "./accountControl.ts";
import { fieldsOf } from "./fields.ts";

/** What becomes of the service's call at a provider: one of these. */
export interface ProviderFaultOptions {
  /** How it fails, in the terms the service decides on. */
  readonly failure?: CallFailureKind;
  /** Or: the HTTP status that the provider answers with. */
  readonly status?: number;
  /** Beside either: the seconds after which the provider says that it may be asked again. */
  readonly retryAfterSeconds?: number;
  /** Or: it is answered well, so much later. */
  readonly delay?: Duration;
}

/** Whose calls go wrong, and how often. */
export interface ProviderFaultScope {
  /** One account only; everybody's calls otherwise. */
  readonly account?: string;
  /** So often; until it is removed otherwise. */
  readonly times?: number;
}

/** A fault at a provider that was set and is still to be played. */
export interface ProviderFault {
  /** For `providerFaults.remove`. */
  readonly id: string;
  readonly provider: SocialProvider;
  readonly call: ProviderCall | "any";
  /** null for everybody's calls. */
  readonly account: string | null;
  /** How often it is still to be played; null without end. */
  readonly left: number | null;
}

/** Makes the calls that the service makes at the providers go wrong, so that jobs wait, are tried again and are given up. */
export class ProviderFaultsControl {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Lets a kind of call at a provider fail or take longer. Throws a MockMisuseError that says which calls and failures there are. */
  add(
    provider: SocialProvider,
    call: ProviderCall | "any",
    fault: ProviderFaultOptions,
    scope: ProviderFaultScope = {},
  ): { readonly id: string; remove(): void } {
    oneOf(provider, SOCIAL_PROVIDERS, "provider");
    oneOf(call, ["any", ...PROVIDER_CALLS], "call at a provider");
    const { account, times } = fieldsOf(scope, { account: "text", times: "number" });
    if (account !== undefined) accountFor(provider, account);
    if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
      throw new MockMisuseError("A fault is played 1 time or more.");
    }
    const read = readFault(fault);
    const id = this.#world.newId();
    const rule: ProviderFaultRule = { id, provider, call, account: account ?? null, fault: read, left: times ?? null };
    this.#world.state.providers.faults.push(rule);
    return { id, remove: () => this.remove(id) };
  }

  /** Every fault that is still to be played. */
  list(): ProviderFault[] {
    return this.#world.state.providers.faults.map(({ id, provider, call, account, left }) => ({
      id,
      provider,
      call,
      account,
      left,
    }));
  }

  /** Takes a fault away; one that was played as often as it was asked for is gone already. */
  remove(id: string): void {
    const { providers } = this.#world.state;
    providers.faults = providers.faults.filter((rule) => rule.id !== id);
  }

  /** Takes all of them away. */
  clear(): void {
    this.#world.state.providers.faults = [];
  }
}

const FAULT = {
  failure: CALL_FAILURES,
  status: "number",
  retryAfterSeconds: "count",
  delay: "duration",
} as const satisfies Record<keyof ProviderFaultOptions, unknown>;

function readFault(options: ProviderFaultOptions): CallFault {
  const { failure, status, retryAfterSeconds, delay } = fieldsOf(options, FAULT);
  if ([failure, status, delay].filter((way) => way !== undefined).length !== 1) {
    throw new MockMisuseError("A fault at a provider is one of failure, status and delay.");
  }
  if (delay !== undefined && retryAfterSeconds !== undefined) {
    throw new MockMisuseError("retryAfterSeconds stands beside a failure or a status.");
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
    throw new MockMisuseError("A status with which a call fails is a whole number from 400 to 599.");
  }
  if (delay !== undefined) return { kind: "delay", delayMs: durationMs(delay) };
  const seconds = retryAfterSeconds ?? null;
  if (status !== undefined) return { kind: "failure", failure: failureOfStatus(status, seconds) };
  return failing(failure ?? "unavailable", { retryAfterSeconds: seconds });
}
