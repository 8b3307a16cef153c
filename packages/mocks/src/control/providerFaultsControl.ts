import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import {
  CALL_FAILURES,
  type CallFailureKind,
  type CallFault,
  failing,
  failureOfStatus,
  PROVIDER_CALLS,
  type ProviderCall,
} from "../state/providerCall.ts";
import type { ProviderFaultRule } from "../state/providerState.ts";
import { type Duration, durationMs } from "../util/duration.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { accountFor } from "./accountControl.ts";
import { fieldsOf } from "./fields.ts";

/** The effect of a fault on the service's call at a provider: one of these. */
export interface ProviderFaultOptions {
  /** The failure. */
  readonly failure?: CallFailureKind;
  /** Or: the provider's HTTP status. */
  readonly status?: number;
  /** With either: the provider's Retry-After in seconds. */
  readonly retryAfterSeconds?: number;
  /** Or: a delay of a successful call. */
  readonly delay?: Duration;
}

/** Limits a fault of a provider. */
export interface ProviderFaultScope {
  /** Only for this account; by default for every account. */
  readonly account?: string;
  /** Number of uses; by default until it is removed. */
  readonly times?: number;
}

/** An added fault of a provider. */
export interface ProviderFault {
  /** For `providerFaults.remove`. */
  readonly id: string;
  /** The provider whose calls fail. */
  readonly provider: SocialProvider;
  /** The call that fails. */
  readonly call: ProviderCall | "any";
  /** null for every account. */
  readonly account: string | null;
  /** Remaining uses; null for no limit. */
  readonly left: number | null;
}

/** A fault of calls at a provider as data. */
export interface ProviderFaultData extends ProviderFaultOptions, ProviderFaultScope {
  /** The provider whose calls fail. */
  readonly provider: SocialProvider;
  /** The call that fails. */
  readonly call: ProviderCall | "any";
}

const FAULT_DATA = {
  provider: "string!",
  call: "string!",
  failure: "string",
  status: "number",
  retryAfterSeconds: "number",
  delay: "duration",
  account: "string",
  times: "number",
} as const satisfies Record<keyof ProviderFaultData, unknown>;

/** Adds a fault of a provider that is given as data. */
export function addProviderFault(faults: ProviderFaultsControl, data: ProviderFaultData): { readonly id: string } {
  fieldsOf(data, FAULT_DATA);
  const { provider, call, account, times, ...fault } = data;
  const scope = { ...(account !== undefined && { account }), ...(times !== undefined && { times }) };
  return faults.add(provider, call, fault, scope);
}

/** Adds faults to the service's calls at providers, so that jobs wait, retry and fail. */
export class ProviderFaultsControl {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Makes a call at a provider fail or take longer. Throws a MockMisuseError that lists the valid calls and failures. */
  add(
    provider: SocialProvider,
    call: ProviderCall | "any",
    fault: ProviderFaultOptions,
    scope: ProviderFaultScope = {},
  ): { readonly id: string; remove(): void } {
    oneOf(provider, SOCIAL_PROVIDERS, "provider");
    oneOf(call, ["any", ...PROVIDER_CALLS], "call at a provider");
    const { account, times } = fieldsOf(scope, { account: "string", times: "number" });
    if (account !== undefined) accountFor(provider, account);
    if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
      throw new MockMisuseError("`times` must be an integer, 1 or more.");
    }
    const read = readFault(fault);
    const id = this.#world.newId();
    const rule: ProviderFaultRule = { id, provider, call, account: account ?? null, fault: read, left: times ?? null };
    this.#world.state.providers.faults.push(rule);
    return { id, remove: () => this.remove(id) };
  }

  /** The remaining faults. */
  list(): ProviderFault[] {
    return this.#world.state.providers.faults.map(({ fault: _, ...shown }) => shown);
  }

  /** Removes a fault; has no effect after its last use. */
  remove(id: string): void {
    const { providers } = this.#world.state;
    providers.faults = providers.faults.filter((rule) => rule.id !== id);
  }

  /** Removes all faults. */
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
  if ([failure, status, delay].filter((effect) => effect !== undefined).length !== 1) {
    throw new MockMisuseError("Pass one of failure, status and delay.");
  }
  if (delay !== undefined && retryAfterSeconds !== undefined) {
    throw new MockMisuseError("retryAfterSeconds requires a failure or a status.");
  }
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status <= 599)) {
    throw new MockMisuseError("`status` must be an integer between 400 and 599.");
  }
  if (delay !== undefined) return { kind: "delay", delayMs: durationMs(delay) };
  const seconds = retryAfterSeconds ?? null;
  if (status !== undefined) return { kind: "failure", failure: failureOfStatus(status, seconds) };
  return failing(failure ?? "unavailable", { retryAfterSeconds: seconds });
}
