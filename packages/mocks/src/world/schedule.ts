import type { AgendaEntry } from "../state/state.ts";

export const SWEEP_EVERY_MS = 3_600_000;

/** A binary heap: what is due first stands first, and what is due at one moment goes by the order it was planned in. */
export function planEntry(agenda: AgendaEntry[], entry: AgendaEntry): void {
  agenda.push(entry);
  let at = agenda.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!swapUnlessInOrder(agenda, parent, at)) return;
    at = parent;
  }
}

/** Takes what is due first; undefined when nothing is planned. */
export function takeFirst(agenda: AgendaEntry[]): AgendaEntry | undefined {
  const [first] = agenda;
  const last = agenda.pop();
  if (first === undefined || last === undefined || agenda.length === 0) return first;
  agenda[0] = last;
  let at = 0;
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const smaller = comesBefore(agenda[right], agenda[left]) ? right : left;
    if (smaller >= agenda.length || !swapUnlessInOrder(agenda, at, smaller)) return first;
    at = smaller;
  }
}

function swapUnlessInOrder(agenda: AgendaEntry[], parent: number, child: number): boolean {
  const [above, below] = [agenda[parent], agenda[child]];
  if (above === undefined || below === undefined || !comesBefore(below, above)) return false;
  agenda[parent] = below;
  agenda[child] = above;
  return true;
}

function comesBefore(one: AgendaEntry | undefined, other: AgendaEntry | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs;
}
