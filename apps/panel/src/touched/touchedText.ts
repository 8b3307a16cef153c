import { type TouchedKind, touchedText } from "@social-connect/domain";
import { LastTouchDocument, type LastTouchQuery } from "../_generated/touched.ts";
import { request } from "../api/request.ts";

export type Counts = readonly { readonly kind: TouchedKind; readonly count: number }[];

function textOf(counts: Counts): string | null {
  return touchedText(Object.fromEntries(counts.map(({ kind, count }) => [kind, count])));
}

/** For the confirmation of an action. */
export function willTouch(counts: Counts): string {
  return `It affects ${textOf(counts) ?? "nothing else"}.`;
}

/** What workers still have to erase; null: nothing. */
export function plannedErasure(counts: Counts): string | null {
  const stored = counts.filter(({ kind, count }) => count > 0 && (kind === "connections" || kind === "posts"));
  const text = textOf(stored);
  return text && `Planned: workers erase ${text}.`;
}

/**
 * Makes a change, and says what it affected from its audit entry: a sentence after a space; empty if the change had no effect,
 * affected nothing else, or cannot be read. `targetId` is the object of the entry; null: not asked for.
 */
export async function withTouched<Result>(
  targetId: string | null,
  change: () => Promise<Result>,
): Promise<readonly [Result, string]> {
  if (targetId === null) return [await change(), ""];
  const before = await lastTouch(targetId);
  const result = await change();
  const after = before === undefined ? undefined : await lastTouch(targetId);
  const text = after === undefined || after.entryId === before?.entryId ? null : textOf(after.counts);
  return [result, text === null ? "" : ` It affected ${text}.`];
}

/** undefined: it cannot be read. */
function lastTouch(targetId: string): Promise<LastTouchQuery["last"] | undefined> {
  return request(LastTouchDocument, { targetId }).then(
    ({ last }) => last,
    () => undefined,
  );
}
