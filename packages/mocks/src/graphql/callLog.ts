import { Kind, type OperationDefinitionNode, valueFromASTUntyped } from "graphql";
import type { RecordedCall } from "../state/providerCall.ts";
import type { World } from "../world/world.ts";

const SECRET_NAMES: ReadonlySet<string> = new Set(["resultProof", "launchToken", "authorization", "key", "secret"]);
/** A key, a token or a proof, under any name. */
const SECRET = /(?:(?:scadm_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.)?[0-9a-f]{64}/gi;
const REDACTED = "[redacted]";
/** Longer strings are truncated in the log. */
const MAX_LENGTH = 2_048;
/** Longer than a key: this part may end within a key, so it is removed. */
const MARGIN = 128;

/** A copy of a request's arguments without proofs, tokens and keys. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 8) return "…";
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, SECRET_NAMES.has(name) ? REDACTED : redact(entry, depth + 1)]),
  );
}

/** A text without keys, tokens and proofs. */
export function redactText(text: string, { isShortened = true } = {}): string {
  if (text.length <= MAX_LENGTH || !isShortened) return text.replaceAll(SECRET, REDACTED);
  const shown = text.slice(0, MAX_LENGTH + MARGIN).replaceAll(SECRET, REDACTED);
  return `${shown.slice(0, -MARGIN)}…`;
}

/** The log contains at least so many of the newest calls. Bounds the memory of a load test. */
const NEWEST_CALLS = 10_000;
/** Removed together, because each removal moves all other calls. */
const REMOVED_CALLS = 1_000;

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
