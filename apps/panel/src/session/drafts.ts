/** What a form held when its person had to leave for a confirmation. It lives in this tab alone, and for a while. */
export interface Draft<Values> {
  readonly values: Values;
  /** Secret fields that were filled in. What they held is not kept. */
  readonly dropped: readonly string[];
  readonly keptAtMs: number;
}

const PREFIX = "social-connect-draft:";
const LIFETIME_MS = 30 * 60_000;

/** `values` must hold no secret: what a tab stores is there for every script of this origin. */
export function saveDraft(name: string, values: unknown, dropped: readonly string[] = []): void {
  const draft: Draft<unknown> = { values, dropped, keptAtMs: Date.now() };
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    // A browser that stores nothing: the form comes back empty.
  }
}

/** Gives back what was kept, once; null when there is nothing, or nothing recent. */
export function restoreDraft<Values>(name: string): Draft<Values> | null {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    sessionStorage.removeItem(PREFIX + name);
    if (text === null) return null;
    const draft = JSON.parse(text) as Draft<Values>;
    return Date.now() - draft.keptAtMs < LIFETIME_MS ? draft : null;
  } catch {
    return null;
  }
}

const OWNER = "social-connect-drafts-of";

/** Forgets what another admin left in this tab. */
export function clearDraftsOfOthers(email: string): void {
  try {
    if (sessionStorage.getItem(OWNER) !== email) clearDrafts();
    sessionStorage.setItem(OWNER, email);
  } catch {
    // Nothing is stored.
  }
}

export function clearDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
