import { type TouchedKind, touchedText } from "@social-connect/domain";
import { LastTouchDocument } from "../_generated/touched.ts";
import { request } from "../api/request.ts";

type Counts = readonly { readonly kind: TouchedKind; readonly count: number }[];

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

/** Its result, from what the service recorded; empty if it affected nothing else, or if that cannot be read. */
export async function hasTouched(targetId: string): Promise<string> {
  const text = await request(LastTouchDocument, { targetId }).then(
    ({ touched }) => textOf(touched),
    () => null,
  );
  return text === null ? "" : ` It affected ${text}.`;
}
