import type { MockOperation } from "../graphql/operations.ts";
import { ADMIN_OPERATIONS, OPERATIONS } from "../graphql/operations.ts";
import type { RecordedCall } from "../state/calls.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

const KNOWN = [...OPERATIONS, ...ADMIN_OPERATIONS];
/** Stands for a request in which no operation was to be found. */
const NO_OPERATION = "(none)";

/** The requests that reached the API, without keys, tokens and proofs, and statements about them. */
export class CallsControl {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Every request, the oldest first. */
  all(): readonly RecordedCall[] {
    return [...this.#world.state.calls];
  }

  /** Those for one operation. */
  of(operation: MockOperation): readonly RecordedCall[] {
    oneOf(operation, KNOWN, "operation");
    return this.all().filter((call) => call.operation === operation);
  }

  /** The latest request, of one operation where that is named; null where there was none. */
  last(operation?: MockOperation): RecordedCall | null {
    return (operation === undefined ? this.all() : this.of(operation)).at(-1) ?? null;
  }

  /** How many requests there were, of one operation where that is named. */
  count(operation?: MockOperation): number {
    return (operation === undefined ? this.all() : this.of(operation)).length;
  }

  /** Forgets what was asked for so far. */
  clear(): void {
    this.#world.state.calls = [];
  }

  /** Throws unless the operation was asked for, so many times where that is given; says what was asked for instead. */
  assertCalled(operation: MockOperation, times?: number): void {
    fieldsOf({ times }, { times: "count" });
    const count = this.count(operation);
    if (times === undefined ? count > 0 : count === times) return;
    const wanted = times === undefined ? "at all" : `${times} times`;
    throw new MockMisuseError(
      `${operation} was to be called ${wanted} and was called ${count} times. ${this.#summary()}`,
    );
  }

  /** Throws unless the operation was asked for with arguments in which these are, e.g. `{ scope: { tenantKey: "acme" } }`. */
  assertCalledWith(operation: MockOperation, expected: Readonly<Record<string, unknown>>): void {
    fieldsOf({ expected }, { expected: "record" });
    const calls = this.of(operation);
    if (calls.some((call) => includes(call.arguments, expected))) return;
    const list = calls.slice(-5).map((call) => JSON.stringify(call.arguments));
    const seen = list.length === 0 ? "It was not called." : `It was called with: ${list.join(", ")}.`;
    throw new MockMisuseError(`${operation} was to be called with ${JSON.stringify(expected)}. ${seen}`);
  }

  /** Throws a MockMisuseError if the operation was asked for. */
  assertNotCalled(operation: MockOperation): void {
    this.assertCalled(operation, 0);
  }

  /** Throws unless exactly these operations were asked for, in this order; `(none)` stands for what could not be read. */
  assertSequence(operations: readonly (MockOperation | typeof NO_OPERATION)[]): void {
    fieldsOf({ operations }, { operations: "texts!" });
    for (const name of operations) oneOf(name, [...KNOWN, NO_OPERATION], "operation");
    const seen = this.all().map(nameOf);
    if (seen.length === operations.length && operations.every((name, index) => seen[index] === name)) return;
    throw new MockMisuseError(`The calls were to be ${operations.join(", ")}. ${this.#summary()}`);
  }

  /** Throws unless every request was answered well. */
  assertAllOk(): void {
    const failed = this.all().filter((call) => call.outcome !== "OK");
    if (failed.length === 0) return;
    const list = failed.map((call) => `${nameOf(call)}: ${call.outcome}`);
    throw new MockMisuseError(`Not every call went well: ${list.join(", ")}.`);
  }

  #summary(): string {
    const calls = this.all().map((call) => `${nameOf(call)}${call.outcome === "OK" ? "" : ` (${call.outcome})`}`);
    return calls.length === 0 ? "There was no call." : `There were: ${calls.slice(-20).join(", ")}.`;
  }
}

function nameOf({ operation }: RecordedCall): string {
  return operation ?? NO_OPERATION;
}

/** Whether all that is expected is there, whatever else is there too; lists have to be equal in length. */
function includes(value: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(value, expected);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(expected) && !(Array.isArray(value) && value.length === expected.length)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([name, entry]) => Object.hasOwn(given, name) && includes(given[name], entry));
}
