/** Something that a page says in passing, wherever one is by then. */
export interface Notice {
  readonly id: number;
  readonly message: string;
  readonly kind: "done" | "failed";
}

const DONE_STAYS_MS = 6_000;
let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says that something was done; read out politely, and gone by itself. */
export function notifyDone(message: string): void {
  const id = add(message, "done");
  setTimeout(() => dismiss(id), DONE_STAYS_MS);
}

/** Says that something was not done, where there is no better place for it. Stays until it is closed. */
export function notifyFailure(message: string): void {
  add(message, "failed");
}

export function dismiss(id: number): void {
  keep(notices.filter((notice) => notice.id !== id));
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
  keep([...notices, { id: lastId, message, kind }]);
  return lastId;
}

function keep(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}
