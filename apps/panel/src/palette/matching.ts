import { asUuid, idsFrom, MOST_SEARCHED_CHARACTERS, SHORTEST_ID_PART } from "@social-connect/domain";
import type { PaletteItem } from "./items.ts";

/** Whether the text is the id of a record, a job or a request, or can be the start of one. */
export function canBeId(text: string): boolean {
  return idsFrom(text) !== null;
}

/** Whether the text can be the id that a client has for its user, or begin it. */
export function canBeUserId(text: string): boolean {
  return text.length >= 2 && text.length <= MOST_SEARCHED_CHARACTERS && !/\s/.test(text);
}

/** The client of “rotate the key of atelier” or “rotate atelier”; null for another text. */
export function rotationOf(text: string): string | null {
  return /^rotate\s+(?:the\s+)?(?:keys?\s+)?(?:(?:of|for)\s+)?(.+)$/i.exec(text)?.[1] ?? null;
}

/**
 * The items in which every word of the text starts a word, or is part of a record's id. First those whose label starts with the
 * text, then those whose label has all of its words.
 */
export function findMatches(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  return items
    .filter(({ id, label, detail = "", keywords = "" }) => {
      const searched = `${label} ${detail} ${keywords}`.toLowerCase();
      const isPartOfId = (word: string) => word.length >= SHORTEST_ID_PART && asUuid(id) !== null && id.includes(word);
      return words.every((word) => startsWord(searched, word) || isPartOfId(word));
    })
    .toSorted((left, right) => rank(left, wanted) - rank(right, wanted));
}

/** Whether the label or the detail contains the text, as in the service's search for clients. */
export function containsText({ label, detail = "" }: PaletteItem, text: string): boolean {
  return [label, detail].some((part) => part.toLowerCase().includes(text.toLowerCase()));
}

/** Whether the label has every word of the text: another match is by a keyword, a detail or an id. */
export function isNamed(item: PaletteItem, text: string): boolean {
  return rank(item, text.trim().toLowerCase()) < 2;
}

function rank({ label }: PaletteItem, wanted: string): number {
  const text = label.toLowerCase();
  if (text.startsWith(wanted)) return 0;
  return wanted.split(/\s+/).every((word) => startsWord(text, word)) ? 1 : 2;
}

/** The items by their groups, each at the place of its first item. */
export function groupsOf(items: readonly PaletteItem[]): [string, PaletteItem[]][] {
  const groups = new Map<string, PaletteItem[]>();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return [...groups];
}

function startsWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}
