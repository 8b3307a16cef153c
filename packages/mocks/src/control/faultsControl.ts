import { ADMIN_ERROR_CODES, type AdminErrorCode, ERROR_CODES, type ErrorCode } from "@social-connect/contract";
import { ADMIN_OPERATIONS, type MockOperation, OPERATIONS } from "../graphql/documents.ts";
import {
  ANY_OPERATION,
  MALFORMED_KINDS,
  type MalformedKind,
  type ServiceFault,
  type ServiceFaultRule,
} from "../state/serviceFaults.ts";
import { type Duration, durationMs } from "../util/duration.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

/** The effect of a fault: one of `code`, `status`, `drop` and `malformed`, a `delay`, or a `delay` with one of the others. */
export interface FaultOptions {
  /** The operation fails with this code of the contract and has no effect. */
  readonly code?: ErrorCode | AdminErrorCode;
  /** With `code`: seconds until a retry, an integer. Without it, the error has none. */
  readonly retryAfterSeconds?: number;
  /** HTTP status of a proxy in front of the service; the operation has no effect. */
  readonly status?: number;
  /** Delays the response by the mock's clock; the request waits until the clock advances. */
  readonly delay?: Duration;
  /** Closes the connection without a response, before or after the operation runs. */
  readonly drop?: "before" | "after";
  /** The operation runs, and its response is malformed. */
  readonly malformed?: MalformedKind | true;
}

/** An operation of the API, or `*` for all operations. */
export type FaultTarget = MockOperation | typeof ANY_OPERATION;

/** An added fault. */
export interface Fault {
  /** For `faults.remove`. */
  readonly id: string;
  /** Remaining uses; null for no limit. */
  readonly left: number | null;
  /** Removes it; has no effect after its last use. */
  remove(): void;
}

/** A fault of requests as data: for every request, for the next `times`, or with a `probability`. */
export interface FaultData {
  /** An operation of either API, or `*`. */
  readonly operation: FaultTarget;
  /** Its effect. */
  readonly fault: FaultOptions;
  /** For so many requests only. */
  readonly times?: number;
  /** For each request with this probability, from 0 to 1. */
  readonly probability?: number;
}

/** Adds a fault that is given as data. */
export function addFault(faults: FaultsControl, data: FaultData): Fault {
  const shape = { operation: "string!", fault: "any", times: "number", probability: "number" } as const;
  fieldsOf(data, shape);
  const { operation, fault, times, probability } = data;
  if (probability !== undefined && times !== undefined) {
    throw new MockMisuseError("A fault is played so many times, or with a probability, and not both.");
  }
  if (probability !== undefined) return faults.chance(probability, operation, fault);
  return times === undefined ? faults.always(operation, fault) : faults.times(times, operation, fault);
}

/** Adds faults to requests by operation: once, several times, always, or with a probability. */
export class FaultsControl {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** For the next request of the operation. */
  next(operation: FaultTarget, fault: FaultOptions): Fault {
    return this.times(1, operation, fault);
  }

  /** For the next `count` requests of the operation. */
  times(count: number, operation: FaultTarget, fault: FaultOptions): Fault {
    if (!Number.isInteger(count) || count < 1) throw new MockMisuseError("`count` must be an integer, 1 or more.");
    return this.#add(operation, fault, count, 1);
  }

  /** For every request of the operation, until it is removed. */
  always(operation: FaultTarget, fault: FaultOptions): Fault {
    return this.#add(operation, fault, null, 1);
  }

  /** For each request of the operation with this probability, from 0 to 1; the seed decides. */
  chance(probability: number, operation: FaultTarget, fault: FaultOptions): Fault {
    if (!(typeof probability === "number" && probability >= 0 && probability <= 1))
      throw new MockMisuseError("`probability` must be between 0 and 1.");
    return this.#add(operation, fault, null, probability);
  }

  /** The remaining faults in the order of adding; delays in milliseconds. */
  list(): readonly ServiceFaultRule[] {
    return this.#world.state.faults.map((rule) => ({ ...rule }));
  }

  /** Removes a fault. Throws a MockMisuseError for an unknown fault, and after its last use. */
  remove(id: string): void {
    const { state } = this.#world;
    if (!state.faults.some((rule) => rule.id === id)) {
      throw new MockMisuseError(`Unknown fault ${JSON.stringify(id)}. It may have been used already.`);
    }
    state.faults = state.faults.filter((rule) => rule.id !== id);
  }

  /** Removes all faults. */
  clear(): void {
    this.#world.state.faults = [];
  }

  #add(operation: FaultTarget, options: FaultOptions, left: number | null, probability: number): Fault {
    oneOf(operation, [ANY_OPERATION, ...OPERATIONS, ...ADMIN_OPERATIONS], "operation");
    const fault = readFault(operation, options);
    const rule: ServiceFaultRule = { id: this.#world.newId(), operation, fault, left, probability };
    this.#world.state.faults.push(rule);
    return {
      id: rule.id,
      get left() {
        return rule.left;
      },
      remove: () => {
        this.#world.state.faults = this.#world.state.faults.filter((one) => one.id !== rule.id);
      },
    };
  }
}

const FAULT = {
  code: "string",
  retryAfterSeconds: "count",
  status: "number",
  delay: "duration",
  drop: ["before", "after"],
  malformed: "any",
} as const satisfies Record<keyof FaultOptions, unknown>;

/** The error codes of an operation's API. */
function codesOf(operation: FaultTarget): readonly string[] {
  if (operation === ANY_OPERATION) return [...new Set([...ERROR_CODES, ...ADMIN_ERROR_CODES])];
  return OPERATIONS.some((name) => name === operation) ? ERROR_CODES : ADMIN_ERROR_CODES;
}

function readFault(operation: FaultTarget, options: FaultOptions): ServiceFault {
  fieldsOf(options, FAULT);
  const { delay, malformed, ...rest } = options;
  const { code, retryAfterSeconds, status, drop } = rest;
  const effects = [code, status, drop, malformed].filter((effect) => effect !== undefined);
  if (effects.length > 1) throw new MockMisuseError("Pass only one of code, status, drop and malformed.");
  if (effects.length === 0 && delay === undefined) {
    throw new MockMisuseError("Pass one of code, status, delay, drop and malformed.");
  }
  if (code !== undefined) oneOf(code, codesOf(operation), `error code of ${operation}`);
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new MockMisuseError("`status` must be an integer between 200 and 599.");
  }
  if (retryAfterSeconds !== undefined && code === undefined) {
    throw new MockMisuseError("retryAfterSeconds requires a code.");
  }
  const kind = malformed === true ? "not-json" : malformed;
  if (kind !== undefined) oneOf(kind, MALFORMED_KINDS, "malformed response");
  return { ...rest, ...(delay !== undefined && { delayMs: durationMs(delay) }), ...(kind && { malformed: kind }) };
}
