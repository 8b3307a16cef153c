import type { AuditEntry } from "../../../packages/conformance/src/_generated/adminWire.ts";
import { adminDocumentOf } from "../../../packages/conformance/src/wire/documents.ts";
import type { Subject } from "../generate/steps.ts";
import { type Actor, shown } from "./actor.ts";
import { answered, call, spanOf } from "./calls.ts";

/** Only recent attempts are read; earlier results were compared when they occurred. */
const ATTEMPTS_READ = 6;
const JOBS_READ = 10;
const WEEK = { fromHoursAgo: 7 * 24, toHoursAgo: -1 };

/** Everything that both sides can be asked about what the sequence has made so far. */
export async function readAll(actor: Actor, now: Date): Promise<unknown> {
  const subjects = new Map<string, { readonly app: number; readonly who: Subject }>();
  for (const { app, who } of actor.sessions.values()) subjects.set(`${app} ${who.tenant} ${who.subject}`, { app, who });
  const observed: Record<string, unknown> = {};
  const read = async (name: string, reading: Promise<unknown>) => {
    observed[name] = await reading;
  };
  const reads: Promise<void>[] = [];
  for (const [name, { app, who }] of subjects) {
    reads.push(
      read(`connections of ${name}`, call(actor, app, "connections", { scope: actor.scope(who), first: 100 })),
    );
  }
  for (const [n, { app, id, who }] of actor.connections) {
    const scope = actor.scope(who);
    reads.push(read(`connection ${n}`, call(actor, app, "connection", { scope, id })));
    const window = { ...spanOf(WEEK, now), first: 50 };
    reads.push(read(`content of ${n}`, call(actor, app, "content", { scope, connectionId: id, window })));
  }
  for (const session of [...actor.sessions.values()].slice(-ATTEMPTS_READ)) {
    const scope = actor.scope(session.who);
    reads.push(
      read(`result ${session.n}`, call(actor, session.app, "connectSessionResult", { scope, id: session.id })),
    );
  }
  for (const [n, job] of [...actor.jobs].slice(-JOBS_READ)) reads.push(read(`job ${n}`, readJob(actor, job)));
  reads.push(read("audit", readAudit(actor)));
  await Promise.all(reads);
  return observed;
}

async function readJob(actor: Actor, job: NonNullable<ReturnType<Actor["jobs"]["get"]>>): Promise<unknown> {
  const connection = actor.connections.get(job.connection);
  if (connection === undefined) return null;
  const { app, id, who } = connection;
  const observation = await call(actor, app, "syncJob", { scope: actor.scope(who), connectionId: id, id: job.id });
  const cursor = answered<{ readonly continuationCursor: string | null }>(observation, "syncJob")?.continuationCursor;
  if (cursor != null) job.cursor = cursor;
  return observation;
}

/** Entries since the start of the sequence. */
async function readAudit(actor: Actor): Promise<unknown> {
  const answer = await actor
    .adminCaller(actor.admin.readKey)
    .graphql(adminDocumentOf("adminAuditEntries"), { first: 100 });
  const page = answer.body?.data?.["adminAuditEntries"] as { readonly items: readonly AuditEntry[] } | null | undefined;
  if (page == null) return shown(answer);
  const entries = page.items.filter((entry) => Date.parse(entry.at) >= actor.beganAt.getTime());
  // The first use of a key is recorded concurrently with its request, before or after it.
  const isFirstUse = ({ action }: AuditEntry) => action === "API key first used";
  return { firstUses: entries.filter(isFirstUse), others: entries.filter((entry) => !isFirstUse(entry)) };
}
