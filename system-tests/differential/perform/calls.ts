import { documentOf, type OperationName } from "../../../packages/conformance/src/wire/documents.ts";
import { type Actor, shown } from "./actor.ts";
import type { Step, StepOf, Subject, Window } from "./steps.ts";

/** What one side showed at a step; null where the step has nothing to do, because what it refers to was never made. */
export type Observation = unknown;

/** How an actor makes a step of each kind. */
export type Performers<Kinds extends Step["do"]> = {
  readonly [Kind in Kinds]: (actor: Actor, step: StepOf<Kind>, now: Date) => Promise<Observation>;
};

export const HOUR_MS = 3_600_000;

/** Calls an operation of the consumer API as an application; null when the application has no key. */
export async function call(actor: Actor, app: number, name: OperationName, args: unknown): Promise<Observation> {
  const api = actor.consumer(app);
  return api && shown(await api.graphql(documentOf(name), args));
}

/** The value of an answer that has one. */
export function answered<Value>(observation: Observation, name: string): Value | null {
  const { body } = (observation ?? {}) as { body?: { data?: Record<string, Value | null> | null } };
  return body?.data?.[name] ?? null;
}

export function spanOf({ fromHoursAgo, toHoursAgo }: Window, now: Date) {
  // Whole minutes, so that a repeated step asks for the same window.
  const at = (hours: number) => new Date(Math.floor(now.getTime() / 60_000) * 60_000 - hours * HOUR_MS).toISOString();
  return { publishedAfter: at(fromHoursAgo), publishedBefore: at(toHoursAgo) };
}

export function connectionOf(
  actor: Actor,
  { connection, ...step }: { readonly connection: unknown; readonly who?: Subject | undefined },
) {
  const made = typeof connection === "number" ? actor.connections.get(connection) : undefined;
  const connectionId = actor.idOf(connection as never, actor.connections);
  if (connectionId === null) return null;
  return { scope: actor.scope(step.who ?? made?.who ?? { tenant: "one", subject: "nobody" }), connectionId };
}
