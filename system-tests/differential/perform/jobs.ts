import type { Actor } from "./actor.ts";
import { answered, call, connectionOf, type Observation, spanOf } from "./calls.ts";
import type { StepOf } from "./steps.ts";

export async function refresh(actor: Actor, step: StepOf<"refresh">, now: Date): Promise<Observation> {
  const named = connectionOf(actor, step);
  if (named === null) return null;
  const { maxItems, window } = step;
  const args: Record<string, unknown> = { ...named };
  if (window !== undefined) args["window"] = { ...spanOf(window, now), ...(maxItems !== undefined && { maxItems }) };
  if (step.post !== undefined) {
    const id = typeof step.post === "number" ? actor.posts.get(step.post)?.post.id : "no-such-post";
    if (id === undefined) return null;
    args["providerContentId"] = id;
  }
  if (step.continues !== undefined) {
    const cursor = typeof step.continues === "number" ? actor.jobs.get(step.continues)?.cursor : "not-a-cursor";
    if (cursor == null) return null;
    args["continuationCursor"] = cursor;
  }
  return keepJob(actor, step, await call(actor, step.app, "requestRefresh", args), "requestRefresh");
}

export async function lookUp(actor: Actor, step: StepOf<"lookup">): Promise<Observation> {
  const named = connectionOf(actor, step);
  const post = typeof step.post === "number" ? actor.posts.get(step.post)?.post.url : undefined;
  const urls = {
    foreign: "https://www.youtube.com/watch?v=AAAAAAAAAAA",
    "other-host": "https://evil.example/watch?v=AAAAAAAAAAA",
    http: "http://www.youtube.com/watch?v=AAAAAAAAAAA",
    long: `https://www.youtube.com/watch?v=AAAAAAAAAAA&x=${"y".repeat(2_048)}`,
  };
  const url = typeof step.post === "number" ? post : urls[step.post];
  if (named === null || url === undefined) return null;
  return keepJob(
    actor,
    step,
    await call(actor, step.app, "requestContentLookup", { ...named, url }),
    "requestContentLookup",
  );
}

function keepJob(
  actor: Actor,
  { connection, n }: { readonly n: number; readonly connection: unknown },
  observation: Observation,
  name: string,
): Observation {
  const job = answered<{ readonly id: string }>(observation, name);
  if (job !== null && typeof connection === "number") actor.jobs.set(n, { id: job.id, connection, cursor: null });
  return observation;
}

export async function disconnect(actor: Actor, step: StepOf<"disconnect">): Promise<Observation> {
  const named = connectionOf(actor, step);
  if (named === null) return null;
  const observation = await call(actor, step.app, "disconnectConnection", named);
  const result = answered<{ revokeJobId: string; eraseJobId: string }>(observation, "disconnectConnection");
  if (result !== null && typeof step.connection === "number") {
    const { connection } = step;
    actor.jobs.set(connection + REVOKE, { id: result.revokeJobId, connection, cursor: null });
    actor.jobs.set(connection + ERASE, { id: result.eraseJobId, connection, cursor: null });
    for (const each of actor.connections.values()) if (each.id === named.connectionId) each.isDisconnected = true;
  }
  return observation;
}

/** The receipts of a connection are jobs too, by the attempt that made it. */
const REVOKE = 0.1;
const ERASE = 0.2;

export async function receipts(actor: Actor, { app, connection }: StepOf<"receipts">): Promise<Observation> {
  const made = actor.connections.get(connection);
  const ids = [REVOKE, ERASE].map((kind) => actor.jobs.get(connection + kind)?.id);
  if (made === undefined || ids[0] === undefined) return null;
  const named = { scope: actor.scope(made.who), connectionId: made.id };
  return Promise.all(ids.map((id) => call(actor, app, "syncJob", { ...named, id })));
}
