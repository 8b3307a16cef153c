/** A form's input, saved in this tab while the user leaves for a confirmation. */
export interface Draft<Values> {
  readonly values: Values;
  /** Secret fields that were filled in; their values are not saved. */
  readonly dropped: readonly string[];
  readonly savedAtMs: number;
}

const PREFIX = "social-connect-draft:";
const LIFETIME_MS = 30 * 60_000;

/** `values` must not contain secrets: every script of this origin can read the tab's storage. */
export function saveDraft(name: string, values: unknown, dropped: readonly string[] = []): void {
  const draft: Draft<unknown> = { values, dropped, savedAtMs: Date.now() };
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    // Without storage, the form is empty afterwards.
  }
}

/** Whether a draft is saved, for a form that is shown only on request. */
export function hasDraft(name: string): boolean {
  try {
    return sessionStorage.getItem(PREFIX + name) !== null;
  } catch {
    return false;
  }
}

/** Returns a saved draft and deletes it; null if it does not exist or is too old. */
export function restoreDraft<Values>(name: string): Draft<Values> | null {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    sessionStorage.removeItem(PREFIX + name);
    if (text === null) return null;
    const draft = JSON.parse(text) as Draft<Values>;
    return Date.now() - draft.savedAtMs < LIFETIME_MS ? draft : null;
  } catch {
    return null;
  }
}

const OWNER = "social-connect-drafts-of";

/** Deletes the drafts of another admin who used this tab. */
export function clearDraftsOfOthers(email: string): void {
  try {
    if (sessionStorage.getItem(OWNER) !== email) clearDrafts();
    sessionStorage.setItem(OWNER, email);
  } catch {
    // Without storage, there are no drafts.
  }
}

export function clearDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Without storage, there are no drafts.
  }
}
