import type { Connection, ConnectSessionResult } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Visit } from "../../wire/browser.ts";
import type { WireAnswer } from "../../wire/call.ts";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Queries that ask for the schema, by what they ask for. */
export const INTROSPECTION: Readonly<Record<string, string>> = {
  schema: "{ __schema { types { name } } }",
  type: '{ __type(name: "Query") { name } }',
};

/** The response to a document that was refused before anything ran. */
export function refusedDocument(t: CaseContext, answer: WireAnswer, what: string): void {
  t.equal(answer.status, 400, `${what}: HTTP status`);
  t.holds((answer.body?.errors?.length ?? 0) > 0, `${what}: an errors array`, answer.text.slice(0, 300));
  for (const error of answer.body?.errors ?? []) {
    t.equal(error.extensions?.code, "BAD_USER_INPUT", `${what}: code`);
    t.matches(error.extensions?.correlationId, UUID, `${what}: correlationId`);
  }
  t.equal(answer.body?.data ?? null, null, `${what}: nothing ran`);
}

/** An error page for users: HTML with an explanation, and without internals. */
export function errorPage(t: CaseContext, visit: Visit, statuses: readonly number[], what: string): void {
  t.oneOf(visit.status, statuses, `${what}: HTTP status`);
  t.matches(visit.headers.get("content-type"), /text\/html/, `${what}: an HTML page`);
  t.matches(visit.text, /<html[^>]* lang="/i, `${what}: the page has a lang attribute`);
  t.matches(visit.text, /<h1[\s>]/i, `${what}: the page has a heading`);
  t.holds(!/\bat .*\.(ts|js):|node_modules|SELECT |prisma|\bError:/i.test(visit.text), `${what}: no internals`);
  t.equal(visit.location, null, `${what}: no redirect`);
}

/** The state that rules 2 and 4 of part 3 define for a row that may not be served. */
export function isWithheld(t: CaseContext, row: Connection | null, status: string, reason: string): void {
  t.holds(row !== null, "the row is still listed");
  if (row === null) return;
  t.equal(row.status, status, "status");
  t.holds(row.capabilities.length > 0, "the capabilities are listed");
  for (const entry of row.capabilities)
    t.equal([entry.availability, entry.reason], ["UNAVAILABLE", reason], entry.capability);
  t.equal(row.profile, null, "profile");
}

/** The result of an attempt. */
export function ends(t: CaseContext, result: ConnectSessionResult, status: string, resultCode: string | null): void {
  t.equal({ status: result.status, resultCode: result.resultCode }, { status, resultCode }, "how the attempt ended");
  if (status !== "COMPLETED") t.equal(result.connectionId, null, "no connection");
}
