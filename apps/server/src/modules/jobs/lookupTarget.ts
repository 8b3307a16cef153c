import type { LookupTarget } from "@social-connect/domain";

/** A lookup's target as its job keeps it: `id:<value>` or `shortcode:<value>`. */
export function formatLookupTarget({ kind, value }: LookupTarget): string {
  return `${kind}:${value}`;
}

export function parseLookupTarget(text: string | null): LookupTarget {
  const separator = text?.indexOf(":") ?? -1;
  const kind = text?.slice(0, separator);
  if (text === null || (kind !== "id" && kind !== "shortcode")) throw new Error("a lookup has no target");
  return { kind, value: text.slice(separator + 1) };
}
