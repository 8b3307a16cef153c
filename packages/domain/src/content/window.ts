import { LIMITS } from "@social-connect/contract";
import { badUserInput, type Refusal } from "../decisions/refusal.ts";
import { addMs, durationText, isSameMoment, nextUtcDay } from "../time/time.ts";

/** A span of publication time: `publishedAfter` belongs to it, `publishedBefore` does not, so that windows can adjoin. */
export interface PublicationWindow {
  readonly publishedAfter: Date;
  readonly publishedBefore: Date;
}

/** The window of a scan, with its default filled in. */
export interface SyncWindow extends PublicationWindow {
  readonly maxItems: number;
  /** Whether the caller passed no window. Two default windows are the same although their times differ. */
  readonly isDefault: boolean;
}

export interface SyncWindowInput extends PublicationWindow {
  readonly maxItems?: number | null | undefined;
}

export interface ContentWindowInput extends PublicationWindow {
  readonly first: number;
}

/**
 * BAD_USER_INPUT for a window that is reversed, empty or longer than 90 days, or whose maxItems is not 1 to 100.
 * Source: service description, parts 2 and 8, SyncWindow.
 */
export function checkSyncWindow(window: SyncWindowInput): Refusal | null {
  const { maxItems } = window;
  if (maxItems != null && !isWithin(maxItems, 1, LIMITS.scanMaxItems)) {
    return badUserInput(`\`maxItems\` must be between 1 and ${LIMITS.scanMaxItems}.`);
  }
  return checkSpan(window);
}

/** The same for a window of stored posts, whose `first` must be 1 to 50. Source: service description, part 2, ContentWindow. */
export function checkContentWindow(window: ContentWindowInput): Refusal | null {
  if (!isWithin(window.first, 1, LIMITS.contentPageMax))
    return badUserInput(`\`first\` must be between 1 and ${LIMITS.contentPageMax}.`);
  return checkSpan(window);
}

/** The page size of `connections`: 1 to 100, by default 20. Source: service description, part 8. */
export function checkConnectionsPage(first: number | null | undefined): Refusal | null {
  if (first == null || isWithin(first, 1, LIMITS.connectionsPageMax)) return null;
  return badUserInput(`\`first\` must be between 1 and ${LIMITS.connectionsPageMax}.`);
}

/**
 * The window of a scan, as stored and compared: the caller's with defaults, or the last 7 days. The default ends with the
 * UTC day during which its scan stops counting as recent, so that a page of whole days is complete until the next daily scan.
 */
export function resolveSyncWindow(input: SyncWindowInput | null | undefined, now: Date): SyncWindow {
  if (input == null) {
    const publishedAfter = addMs(now, -LIMITS.scanWindowDefaultMs);
    const publishedBefore = nextUtcDay(addMs(now, LIMITS.scanFreshMs));
    return { publishedAfter, publishedBefore, maxItems: LIMITS.scanMaxItemsDefault, isDefault: true };
  }
  const { publishedAfter, publishedBefore, maxItems } = input;
  return { publishedAfter, publishedBefore, maxItems: maxItems ?? LIMITS.scanMaxItemsDefault, isDefault: false };
}

/**
 * Whether two scans request the same: equal times and maxItems, or both the default, whose times change with the clock.
 */
export function sameWindow(a: SyncWindow, b: SyncWindow): boolean {
  return (a.isDefault && b.isDefault) || differingBounds(a, b).length === 0;
}

/** The times and maxItems that differ, of default windows too. */
export function differingBounds(a: Omit<SyncWindow, "isDefault">, b: Omit<SyncWindow, "isDefault">): readonly string[] {
  return [
    ...(["publishedAfter", "publishedBefore"] as const).filter((name) => !isSameMoment(a[name], b[name])),
    ...(a.maxItems === b.maxItems ? [] : ["maxItems"]),
  ];
}

export function isInsideWindow(publishedAt: Date, window: PublicationWindow): boolean {
  const moment = publishedAt.getTime();
  return moment >= window.publishedAfter.getTime() && moment < window.publishedBefore.getTime();
}

function checkSpan({ publishedAfter, publishedBefore }: PublicationWindow): Refusal | null {
  const spanMs = publishedBefore.getTime() - publishedAfter.getTime();
  if (Number.isNaN(spanMs)) return badUserInput("`publishedAfter` and `publishedBefore` must be dates.");
  if (spanMs <= 0) return badUserInput("`publishedBefore` must be after `publishedAfter`.");
  if (spanMs > LIMITS.windowSpanMs)
    return badUserInput(`A window can span at most ${durationText(LIMITS.windowSpanMs)}.`);
  return null;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
