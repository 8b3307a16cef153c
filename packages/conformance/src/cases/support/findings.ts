import type { Connection, ConnectSessionResult, SubjectScope, SyncJob } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { Visit } from "../../wire/browser.ts";
import type { WireAnswer } from "../../wire/call.ts";

/** UTC with milliseconds. */
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Queries that ask for the schema, by what they ask for. */
export const INTROSPECTION: Readonly<Record<string, string>> = {
  schema: "{ __schema { types { name } } }",
  type: '{ __type(name: "Query") { name } }',
  "too-deep": `{ __schema { types { fields { type ${"{ ofType ".repeat(12)}{ name } ${"} ".repeat(12)}} } } }`,
  "too-many-aliases": `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: __type(name: "Query") { name }`).join(" ")} }`,
  fragment: "{ __typename ...F } fragment F on Query { __schema { description } }",
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

/** The cookie that binds an attempt to its browser. */
export function launchCookie(t: CaseContext, visit: Visit): void {
  const cookies = visit.headers.getSetCookie();
  t.equal(cookies.length, 1, "one cookie is set");
  for (const cookie of cookies) {
    t.matches(cookie, /;\s*HttpOnly/i, "HttpOnly");
    t.matches(cookie, /;\s*SameSite=Lax/i, "SameSite=Lax");
    t.holds(!/;\s*Domain=/i.test(cookie), "no Domain attribute", cookie.split(";").slice(1));
    if (t.target.connectHost.startsWith("https:")) t.matches(cookie, /^__Host-.*;\s*Secure/i, "__Host- and Secure");
  }
}

/** The state that rules 2 and 4 of part 3 define for a row that may not be served. */
export function isWithheld(t: CaseContext, row: Connection | null, status: string, reason: string): void {
  t.holds(row !== null, "the row is still listed");
  t.shows(row, { status, profile: null }, "the row");
  t.holds((row?.capabilities.length ?? 0) > 0, "the capabilities are listed");
  for (const entry of row?.capabilities ?? [])
    t.shows(entry, { availability: "UNAVAILABLE", reason }, entry.capability);
}

/** Rule 4 in full, including the sync fields. */
export function isWithheldInList(t: CaseContext, row: Connection | null, status: string, reason: string): void {
  isWithheld(t, row, status, reason);
  t.shows(row, { syncStatus: "STALE", lastSuccessfulSyncAt: null, nextRetryAt: null }, "the sync fields");
}

export async function nothingConnected(t: CaseContext, { scope }: { readonly scope: SubjectScope }): Promise<void> {
  t.equal((await t.get("connections", { scope })).items, [], "nothing is connected");
}

export function endsIncomplete(t: CaseContext, job: SyncJob, incompleteReason: string): void {
  t.shows(job, { status: "SUCCEEDED", completeForWindow: false, incompleteReason }, "how the scan ended");
}

export function ends(
  t: CaseContext,
  result: ConnectSessionResult,
  status: string,
  resultCode: string | null,
  what = "how the attempt ended",
): void {
  t.shows(result, { status, resultCode }, what);
  if (status !== "COMPLETED") t.equal(result.connectionId, null, "no connection");
}

/** The same string with one character in the middle changed. */
export function flip(text: string): string {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

/** So many parts of a document, separated by spaces. */
export function repeated(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(" ");
}

/**
 * A lock for cases that send dozens of concurrent requests: each tests how the service counts, and together they would
 * only test the machine's capacity.
 */
export const BURST = "dozens of concurrent requests";

export function concurrently<Result>(count: number, call: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, call));
}
