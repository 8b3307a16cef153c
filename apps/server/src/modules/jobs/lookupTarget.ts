import type { LookupTarget } from "@social-connect/domain";

/** A lookup's target as stored in its job: `id:<value>` or `shortcode:<value>`. */
export function formatLookupTarget({ kind, value }: LookupTarget): string {
  return `${kind}:${value}`;
}

export function parseLookupTarget(text: string | null): LookupTarget {
  const separator = text?.indexOf(":") ?? -1;
  const kind = text?.slice(0, separator);
  if (text === null || (kind !== "id" && kind !== "shortcode")) throw new Error("The lookup job has no target.");
  return { kind, value: text.slice(separator + 1) };
}
