import { ADMIN_OPERATIONS, type MockOperation, OPERATIONS } from "../graphql/documents.ts";
import type { RecordedCall } from "../state/providerCall.ts";
import { MockMisuseError, oneOf } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

const KNOWN = [...OPERATIONS, ...ADMIN_OPERATIONS];
/** The name of a request without a parseable operation. */
const NO_OPERATION = "(none)";

/** The requests to the API, without keys, tokens and proofs, and assertions about them. */
export class CallsControl {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Every request, oldest first. */
  all(): readonly RecordedCall[] {
    return [...this.#world.state.calls];
  }

  /** The requests of one operation. */
  of(operation: MockOperation): readonly RecordedCall[] {
    oneOf(operation, KNOWN, "operation");
    return this.all().filter((call) => call.operation === operation);
  }

  /** The latest request, optionally of one operation, or null. */
  last(operation?: MockOperation): RecordedCall | null {
    return (operation === undefined ? this.all() : this.of(operation)).at(-1) ?? null;
  }

  /** Number of requests, optionally of one operation. */
  count(operation?: MockOperation): number {
    return (operation === undefined ? this.all() : this.of(operation)).length;
  }

  /** Clears the log. */
  clear(): void {
    this.#world.state.calls = [];
  }

  /** Throws unless the operation was called, optionally an exact number of times. */
  assertCalled(operation: MockOperation, times?: number): void {
    fieldsOf({ times }, { times: "count" });
    const count = this.count(operation);
    if (times === undefined ? count > 0 : count === times) return;
    const expected = times === undefined ? "at least once" : `${times} times`;
    throw new MockMisuseError(
      `Expected ${operation} to be called ${expected}, but it was called ${count} times. ${this.#summary()}`,
    );
  }

  /** Throws unless the operation was called with arguments that contain these, e.g. `{ scope: { tenantKey: "acme" } }`. */
  assertCalledWith(operation: MockOperation, expected: Readonly<Record<string, unknown>>): void {
    fieldsOf({ expected }, { expected: "object" });
    const calls = this.of(operation);
    if (calls.some((call) => includes(call.arguments, expected))) return;
    const list = calls.slice(-5).map((call) => JSON.stringify(call.arguments));
    const seen = list.length === 0 ? "It was not called." : `It was called with: ${list.join(", ")}.`;
    throw new MockMisuseError(`Expected ${operation} to be called with ${JSON.stringify(expected)}. ${seen}`);
  }

  /** Throws a MockMisuseError if the operation was called. */
  assertNotCalled(operation: MockOperation): void {
    this.assertCalled(operation, 0);
  }

  /** Throws unless exactly these operations were called in this order; `(none)` is an unreadable request. */
  assertSequence(operations: readonly (MockOperation | typeof NO_OPERATION)[]): void {
    fieldsOf({ operations }, { operations: "strings!" });
    for (const name of operations) oneOf(name, [...KNOWN, NO_OPERATION], "operation");
    const seen = this.all().map(nameOf);
    if (seen.length === operations.length && operations.every((name, index) => seen[index] === name)) return;
    throw new MockMisuseError(`Expected the calls ${operations.join(", ")}. ${this.#summary()}`);
  }

  /** Throws unless every request succeeded. */
  assertAllOk(): void {
    const failed = this.all().filter((call) => call.outcome !== "OK");
    if (failed.length === 0) return;
    const list = failed.map((call) => `${nameOf(call)}: ${call.outcome}`);
    throw new MockMisuseError(`Failed calls: ${list.join(", ")}.`);
  }

  #summary(): string {
    const calls = this.all().map((call) => `${nameOf(call)}${call.outcome === "OK" ? "" : ` (${call.outcome})`}`);
    return calls.length === 0 ? "There were no calls." : `Calls: ${calls.slice(-20).join(", ")}.`;
  }
}

function nameOf({ operation }: RecordedCall): string {
  return operation ?? NO_OPERATION;
}

/** Whether a value contains the expected properties; lists must have equal lengths. */
function includes(value: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(value, expected);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(expected) && !(Array.isArray(value) && value.length === expected.length)) return false;
  const given = value as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([name, entry]) => Object.hasOwn(given, name) && includes(given[name], entry));
}
