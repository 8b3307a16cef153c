/** A form's input, saved in this tab while the user leaves for a confirmation. */
export interface Draft<Values> {
  readonly values: Values;
  /** Secret fields that were filled in; their values are not saved. */
  readonly dropped: readonly string[];
  readonly savedAtMs: number;
}

const PREFIX = "social-connect-draft:";
const OWNER = "social-connect-drafts-of";
const LIFETIME_MS = 30 * 60_000;

/** Null without storage: forms are empty then after a confirmation. */
function inStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

/** `values` must not contain secrets: every script of this origin can read the tab's storage. */
export function saveDraft(name: string, values: unknown, dropped: readonly string[] = []): void {
  const draft: Draft<unknown> = { values, dropped, savedAtMs: Date.now() };
  inStorage((storage) => storage.setItem(PREFIX + name, JSON.stringify(draft)));
}

/** Whether a draft is saved, for a form that is shown only on request. */
export function hasDraft(name: string): boolean {
  return inStorage((storage) => storage.getItem(PREFIX + name)) !== null;
}

/** Returns a saved draft and deletes it; null if it does not exist or is too old. */
export function restoreDraft<Values>(name: string): Draft<Values> | null {
  return inStorage((storage) => {
    const draft = JSON.parse(storage.getItem(PREFIX + name) ?? "null") as Draft<Values> | null;
    storage.removeItem(PREFIX + name);
    return draft !== null && Date.now() - draft.savedAtMs < LIFETIME_MS ? draft : null;
  });
}

/** Deletes the drafts of another admin who used this tab. */
export function clearDraftsOfOthers(email: string): void {
  inStorage((storage) => {
    if (storage.getItem(OWNER) !== email) clearDrafts();
    storage.setItem(OWNER, email);
  });
}

export function clearDrafts(): void {
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}
