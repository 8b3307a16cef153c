import type { AdminErrorCode, ErrorCode } from "@social-connect/contract";
import { ADMIN_ERROR_CODES, ERROR_CODES } from "@social-connect/contract";
import type { MockOperation } from "../graphql/operations.ts";
import { ADMIN_OPERATIONS, OPERATIONS } from "../graphql/operations.ts";
import type { MalformedKind, ServiceFault, ServiceFaultRule } from "../state/serviceFaults.ts";
import { ANY_OPERATION, MALFORMED_KINDS } from "../state/serviceFaults.ts";
import type { Duration } from "../util/duration.ts";
import { durationMs } from "../util/duration.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

/** What is to become of a request. One of `code`, `status`, `drop` and `malformed`, or a `delay`, alone or beside one of them. */
export interface FaultOptions {
  /** The operation fails with this code of the contract; nothing of it is done. */
  readonly code?: ErrorCode | AdminErrorCode;
  /** Beside `code`: whole seconds after which trying again helps. Left out, the error carries none. */
  readonly retryAfterSeconds?: number;
  /** An HTTP status as from a proxy in front of the service; nothing is done. */
  readonly status?: number;
  /** The answer comes so much later by the mock's clock: until that is advanced, the request waits. */
  readonly delay?: Duration;
  /** The connection is cut before anything is done, or after all of it is done. */
  readonly drop?: "before" | "after";
  /** All of it is done, and the answer cannot be read. */
  readonly malformed?: MalformedKind | true;
}

/** An operation of the API, or `*` for every one. */
export type FaultTarget = MockOperation | typeof ANY_OPERATION;

/** A fault that was set, and can be taken away again. */
export interface Fault {
  /** For `faults.remove`. */
  readonly id: string;
  /** How often it is still to be played; null without end. */
  readonly left: number | null;
  /** Takes it away; does nothing where it was played already. */
  remove(): void;
}

/** Makes requests go wrong, by operation: once, so many times, always, or by a chance that follows the seed. */
export class FaultsControl {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The next request for the operation. */
  next(operation: FaultTarget, fault: FaultOptions): Fault {
    return this.times(1, operation, fault);
  }

  /** The next so many requests for the operation. */
  times(count: number, operation: FaultTarget, fault: FaultOptions): Fault {
    if (!Number.isInteger(count) || count < 1) throw new MockMisuseError("A fault is played 1 time or more.");
    return this.#add(operation, fault, count, 1);
  }

  /** Every request for the operation, until it is removed. */
  always(operation: FaultTarget, fault: FaultOptions): Fault {
    return this.#add(operation, fault, null, 1);
  }

  /** Each request for the operation with this probability, from 0 to 1; which ones is a matter of the seed. */
  chance(probability: number, operation: FaultTarget, fault: FaultOptions): Fault {
    if (!(typeof probability === "number" && probability >= 0 && probability <= 1))
      throw new MockMisuseError("A probability lies from 0 to 1.");
    return this.#add(operation, fault, null, probability);
  }

  /** The faults that are still to be played, in the order in which they were set; delays in milliseconds. */
  list(): readonly ServiceFaultRule[] {
    return this.#world.state.faults.map((rule) => ({ ...rule }));
  }

  /** Takes one away. Throws a MockMisuseError for one that is not there, or was played already. */
  remove(id: string): void {
    const { state } = this.#world;
    if (!state.faults.some((rule) => rule.id === id)) {
      throw new MockMisuseError(`There is no fault ${JSON.stringify(id)}; it may have been played already.`);
    }
    state.faults = state.faults.filter((rule) => rule.id !== id);
  }

  /** Takes all of them away. */
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
  code: "text",
  retryAfterSeconds: "count",
  status: "number",
  delay: "duration",
  drop: ["before", "after"],
  malformed: "any",
} as const satisfies Record<keyof FaultOptions, unknown>;

/** The codes that an operation has, of the API that it belongs to. */
function codesOf(operation: FaultTarget): readonly string[] {
  if (operation === ANY_OPERATION) return [...new Set([...ERROR_CODES, ...ADMIN_ERROR_CODES])];
  return OPERATIONS.some((name) => name === operation) ? ERROR_CODES : ADMIN_ERROR_CODES;
}

function readFault(operation: FaultTarget, options: FaultOptions): ServiceFault {
  fieldsOf(options, FAULT);
  const { code, retryAfterSeconds, status, delay, drop, malformed } = options;
  const ways = [code, status, drop, malformed].filter((way) => way !== undefined);
  if (ways.length > 1) throw new MockMisuseError("A fault is one of code, status, drop and malformed, not several.");
  if (ways.length === 0 && delay === undefined) {
    throw new MockMisuseError("A fault needs one of code, status, delay, drop and malformed.");
  }
  if (code !== undefined) oneOf(code, codesOf(operation), `error code of ${operation}`);
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw new MockMisuseError("An HTTP status is a whole number from 200 to 599.");
  }
  if (retryAfterSeconds !== undefined && code === undefined) {
    throw new MockMisuseError("retryAfterSeconds stands beside a code.");
  }
  const kind = malformed === true ? "not-json" : malformed;
  if (kind !== undefined) oneOf(kind, MALFORMED_KINDS, "way to spoil an answer");
  return {
    ...(code !== undefined && { code }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(status !== undefined && { status }),
    ...(delay !== undefined && { delayMs: durationMs(delay) }),
    ...(drop !== undefined && { drop }),
    ...(kind !== undefined && { malformed: kind }),
  };
}
