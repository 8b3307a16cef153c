const MOST_SHOWN = 5;

/** The first names of a list for a message, and how many others there are. */
export function nameSome(names: readonly string[]): string {
  const shown = names.slice(0, MOST_SHOWN).join(", ");
  return names.length > MOST_SHOWN ? `${shown} and ${names.length - MOST_SHOWN} more` : shown;
}
