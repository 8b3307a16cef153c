import { asUuid, MOST_SEARCHED_CHARACTERS } from "@social-connect/domain";
import type { PaletteItem } from "./items.ts";

/** Whether the text is the id of a record, a job or a request. */
export function isId(text: string): boolean {
  return asUuid(text) !== null;
}

/** Whether the text can be the id that a client has for its user. */
export function canBeUserId(text: string): boolean {
  return text.length >= 2 && text.length <= MOST_SEARCHED_CHARACTERS && !/\s/.test(text);
}

/** The client of “rotate the key of atelier” or “rotate atelier”; null for another text. */
export function rotationOf(text: string): string | null {
  return /^rotate\s+(?:the\s+)?(?:keys?\s+)?(?:(?:of|for)\s+)?(.+)$/i.exec(text)?.[1] ?? null;
}

/** Fewer characters are more likely part of a word than the start of an id. */
const SHORTEST_ID_PART = 4;

/** The items in which every word of the text starts a word, or starts the id; a label that starts with the text comes first. */
export function findMatches(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  return items
    .filter(({ id, label, detail = "", keywords = "" }) => {
      const searched = `${label} ${detail} ${keywords}`.toLowerCase();
      const isPartOfId = (word: string) => word.length >= SHORTEST_ID_PART && id.startsWith(word);
      return words.every((word) => startsWord(searched, word) || isPartOfId(word));
    })
    .toSorted((left, right) => rank(left, wanted) - rank(right, wanted));
}

/** Whether the label or the detail contains the text, as in the service's search for clients. */
export function containsText({ label, detail = "" }: PaletteItem, text: string): boolean {
  return [label, detail].some((part) => part.toLowerCase().includes(text.toLowerCase()));
}

function rank({ label }: PaletteItem, wanted: string): number {
  return label.toLowerCase().startsWith(wanted) ? 0 : 1;
}

function startsWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
