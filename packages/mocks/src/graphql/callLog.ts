import { Kind, type OperationDefinitionNode, valueFromASTUntyped } from "graphql";
import type { RecordedCall } from "../state/calls.ts";
import type { World } from "../world/world.ts";
import { redact } from "./redact.ts";

/** The log contains at least so many of the newest calls. Bounds the memory of a load test. */
const NEWEST_CALLS = 10_000;
/** Removed together, because each removal moves all other calls. */
const REMOVED_CALLS = 1_000;

/** Root fields of an operation, each once, in order. */
export function operationsOf(operation: OperationDefinitionNode | null): string[] {
  const names = (operation?.selectionSet.selections ?? []).flatMap((selection) =>
    selection.kind === Kind.FIELD && !selection.name.value.startsWith("__") ? [selection.name.value] : [],
  );
  return [...new Set(names)];
}

/** Redacted arguments of the first root field, from variables and literals. */
export function argumentsOf(
  operation: OperationDefinitionNode | null,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const [field] = operation?.selectionSet.selections ?? [];
  if (field?.kind !== Kind.FIELD) return redact(variables);
  // Without a prototype: a variable may be named `constructor`.
  const own: Record<string, unknown> = Object.assign(Object.create(null), variables);
  const entries = (field.arguments ?? []).map(({ name, value }) => [
    name.value,
    value.kind === Kind.VARIABLE ? own[value.name.value] : valueFromASTUntyped(value, own),
  ]);
  return redact(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

export function recordCall(world: World, call: Omit<RecordedCall, "number" | "at">): void {
  const { calls } = world.state;
  const number = (calls.at(-1)?.number ?? 0) + 1;
  calls.push({ number, at: world.now(), ...call });
  if (calls.length >= NEWEST_CALLS + REMOVED_CALLS) calls.splice(0, REMOVED_CALLS);
}
