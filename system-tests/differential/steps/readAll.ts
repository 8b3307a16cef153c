import type { AuditEntry } from "../../../packages/conformance/src/_generated/adminWire.ts";
import type { OperationName } from "../../../packages/conformance/src/wire/documents.ts";
import { type Actor, answered, type Connection, type Job, type Observation, shown } from "./actor.ts";
import { allEvents } from "./events.ts";
import { spanOf } from "./reads.ts";
import { step } from "./step.ts";

/** Only recent attempts are read; earlier results were compared when they occurred. */
const ATTEMPTS_READ = 6;
const JOBS_READ = 10;
/** Has no connections. */
const OTHER_SUBJECT = "cyd";
const WEEK = { fromHoursAgo: 7 * 24, toHoursAgo: -1 };

/** Everything that both sides can be asked about what the sequence has made so far. */
export const readAll = step("readAll", {}, async (actor, { now }) => {
  const subjects = new Map<string, Pick<Connection, "app" | "who">>();
  for (const { app, who } of actor.sessions.values()) subjects.set(`${app} ${who.tenant} ${who.subject}`, { app, who });
  const reads: [name: string, reading: Promise<unknown>][] = [];
  /** Reads as the subject, and what another subject of its tenant is shown: nothing. */
  const readScoped = (
    what: string,
    name: OperationName,
    { app, who }: Pick<Connection, "app" | "who">,
    args: object,
  ): Promise<unknown> => {
    const as = (subject: string) => actor.call(app, name, { ...args, scope: actor.scope({ ...who, subject }) });
    const own = as(who.subject);
    const shownToOther = as(OTHER_SUBJECT).then((answer) => answered(answer, name));
    reads.push([what, own], [`${what} as another subject`, shownToOther]);
    return own;
  };
  for (const [name, { app, who }] of subjects) {
    reads.push([`connections of ${name}`, actor.call(app, "connections", { scope: actor.scope(who), first: 100 })]);
  }
  for (const [n, connection] of actor.connections) {
    const { id } = connection;
    const window = { ...spanOf(WEEK, now), first: 50 };
    readScoped(`connection ${n}`, "connection", connection, { id });
    readScoped(`content of ${n}`, "content", connection, { connectionId: id, window });
  }
  for (const session of [...actor.sessions.values()].slice(-ATTEMPTS_READ)) {
    readScoped(`result ${session.n}`, "connectSessionResult", session, { id: session.id });
  }
  for (const [n, job] of [...actor.jobs].slice(-JOBS_READ)) {
    const connection = actor.connections.get(job.connection);
    if (connection === undefined) continue;
    const own = readScoped(`job ${n}`, "syncJob", connection, { connectionId: connection.id, id: job.id });
    reads.push([`job ${n}`, own.then((observation) => keepCursor(job, observation))]);
  }
  reads.push(["audit", readAudit(actor)], ["events", allEvents(actor)]);
  return Object.fromEntries(await Promise.all(reads.map(async ([name, reading]) => [name, await reading])));
});

function keepCursor(job: Job, observation: Observation): Observation {
  const cursor = answered<{ readonly continuationCursor: string | null }>(observation, "syncJob")?.continuationCursor;
  if (cursor != null) job.cursor = cursor;
  return observation;
}

/** Entries since the start of the sequence. */
async function readAudit(actor: Actor): Promise<unknown> {
  const answer = await actor.callAdmin(actor.admin.readKey, "adminAuditEntries", { first: 100 });
  const page = answer.body?.data?.["adminAuditEntries"] as { readonly items: readonly AuditEntry[] } | null | undefined;
  if (page == null) return shown(answer);
  // No one signs in to a mock.
  const common = page.items.filter(({ action }) => !/^Admin (?:signed|confirmed)/.test(action));
  const entries = common.filter((entry) => Date.parse(entry.at) >= actor.beganAt.getTime());
  // The first use of a key is recorded concurrently with its request, before or after it.
  const isFirstUse = ({ action }: AuditEntry) => action === "API key first used";
  return { firstUses: entries.filter(isFirstUse), others: entries.filter((entry) => !isFirstUse(entry)) };
}
