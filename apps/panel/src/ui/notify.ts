/** A message that stays visible across navigations. */
export interface Notice {
  readonly id: number;
  readonly message: string;
  readonly kind: "done" | "failed";
}

const DONE_VISIBLE_MS = 6_000;
let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Reports a success; the notice disappears automatically. */
export function notifyDone(message: string): void {
  const id = add(message, "done");
  setTimeout(() => dismiss(id), DONE_VISIBLE_MS);
}

/** Reports a failure that has no place on the page. The notice stays until it is closed. */
export function notifyFailure(message: string): void {
  add(message, "failed");
}

/** Removes reports of earlier successes, so that they do not cover the result of the next action. */
export function dismissDone(): void {
  if (notices.some(({ kind }) => kind === "done")) setNotices(notices.filter(({ kind }) => kind !== "done"));
}

export function dismiss(id: number): void {
  setNotices(notices.filter((notice) => notice.id !== id));
}

export function currentNotices(): readonly Notice[] {
  return notices;
}

export function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function add(message: string, kind: Notice["kind"]): number {
  lastId += 1;
  setNotices([...notices, { id: lastId, message, kind }]);
  return lastId;
}

function setNotices(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}
