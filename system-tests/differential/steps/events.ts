import type { StoredEvent } from "../../../packages/conformance/src/index.ts";
import type { Actor, Observation, Ref } from "./actor.ts";

/** The stored events of an actor's applications; only those that it has not shown before. */
export async function newEvents(actor: Actor): Promise<Observation> {
  const all = await storedEvents(actor);
  const fresh = all.filter(({ id }) => !actor.shownEvents.has(id));
  for (const { id } of fresh) actor.shownEvents.add(id);
  return sorted(actor, fresh);
}

export async function allEvents(actor: Actor): Promise<Observation> {
  return sorted(actor, await storedEvents(actor));
}

async function storedEvents({ apps, side }: Actor): Promise<StoredEvent[]> {
  const told = [...apps.values()].filter(({ key }) => key !== "");
  return (await Promise.all(told.map(({ id }) => side.events.list(id)))).flat();
}

/** Neither side promises an order, and ids differ: each event has the numbers of the steps that made what it is about. */
function sorted(actor: Actor, events: readonly StoredEvent[]): readonly object[] {
  const named = events.map((event) => {
    const { type, occurredAt } = event;
    // A receipt is without its subject once it was delivered.
    const subject = type.startsWith("receipt.") ? [] : ["tenantKey", "externalSubjectId"];
    const values = ["status", "code", "provider", ...subject].map((field) => event[field] ?? null);
    const attempts = new Map<Ref, { readonly id: string }>([...actor.sessions, ...actor.identities]);
    const made = [
      numberOf(event["connectionId"], actor.connections),
      ...[numberOf(event["attemptId"], attempts), numberOf(event["jobId"], actor.jobs)],
    ];
    return { what: JSON.stringify([type, ...values, ...made]), occurredAt };
  });
  return named.sort((one, other) => (one.what < other.what ? -1 : 1));
}

function numberOf(id: unknown, made: ReadonlyMap<Ref, { readonly id: string }>): Ref | "other" | null {
  if (typeof id !== "string") return null;
  for (const [n, one] of made) if (one.id === id) return n;
  return "other";
}
