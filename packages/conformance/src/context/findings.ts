import type { Connection, ConnectSessionResult, SubjectScope, SyncJob } from "../_generated/consumerWire.ts";
import type { Visit } from "../wire/browser.ts";
import type { WireAnswer } from "../wire/call.ts";
import type { Outcome } from "../wire/documents.ts";
import { CaseContext } from "./context.ts";

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

/** The same string with one character in the middle changed. */
export function flip(text: string): string {
  const at = Math.floor(text.length / 2);
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

/** So many parts of a document, separated by spaces. */
export function repeated(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => text(index)).join(" ");
}

/** The comparable part of two indistinguishable refusals. */
export function shapeOf({ status, body }: WireAnswer): string {
  const comparable = (name: string, value: unknown) => (name === "correlationId" ? typeof value : value);
  return JSON.stringify([status, body?.data ?? null, body?.errors], comparable);
}

const EXTENSIONS = ["code", "reason", "correlationId", "retryAfterSeconds"];

/**
 * A lock for cases that send dozens of concurrent requests: each tests how the service counts, and together they would
 * only test the machine's capacity.
 */
export const BURST = "dozens of concurrent requests";

export function concurrently<Result>(count: number, call: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, call));
}

interface Attempt {
  readonly scope: SubjectScope;
  readonly id: string;
}

/** What cases compare with the description in the same way. */
export class FindingSteps extends CaseContext {
  /** The response to a document that was refused before anything ran. */
  refusedDocument(answer: WireAnswer, what: string): void {
    this.equal(answer.status, 400, `${what}: HTTP status`);
    this.holds((answer.body?.errors?.length ?? 0) > 0, `${what}: an errors array`, answer.text.slice(0, 300));
    for (const error of answer.body?.errors ?? []) {
      this.shows(error.extensions, { code: "BAD_USER_INPUT", reason: undefined }, `${what}: code`);
      this.matches(error.extensions?.correlationId, UUID, `${what}: correlationId`);
    }
    this.equal(answer.body?.data ?? null, null, `${what}: nothing ran`);
  }

  /** The response to a refused operation: HTTP 200, one error with a code and a correlation id, and no data. */
  refusedOperation(answer: WireAnswer, what: string): void {
    this.equal(answer.status, 200, `${what}: HTTP status`);
    this.matches(answer.headers.get("content-type"), /json/, `${what}: content type`);
    this.equal(answer.body?.data, null, `${what}: no data`);
    this.equal(answer.body?.errors?.length, 1, `${what}: one error`);
    for (const error of answer.body?.errors ?? []) {
      this.matches(error.message, /./, `${what}: message`);
      this.matches(error.extensions?.correlationId, UUID, `${what}: correlationId`);
      const others = Object.keys(error.extensions ?? {}).filter((key) => !EXTENSIONS.includes(key));
      this.equal(others, [], `${what}: no other extension`);
    }
  }

  /** An error page for users: HTML with an explanation, and without internals. */
  errorPage(visit: Visit, statuses: readonly number[], what: string): void {
    this.oneOf(visit.status, statuses, `${what}: HTTP status`);
    this.matches(visit.headers.get("content-type"), /text\/html/, `${what}: an HTML page`);
    this.matches(visit.text, /<html[^>]* lang="/i, `${what}: the page has a lang attribute`);
    this.matches(visit.text, /<h1[\s>]/i, `${what}: the page has a heading`);
    this.holds(!/\bat .*\.(ts|js):|node_modules|SELECT |prisma|\bError:/i.test(visit.text), `${what}: no internals`);
    this.equal(visit.location, null, `${what}: no redirect`);
  }

  /** A launch is neither cached nor framed, and sends no referrer. */
  launchHeaders({ headers }: Visit): void {
    this.matches(headers.get("cache-control"), /no-store/, "cache-control");
    this.matches(headers.get("referrer-policy"), /no-referrer/, "referrer-policy");
    this.matches(headers.get("content-security-policy"), /frame-ancestors 'none'/, "content-security-policy");
  }

  /** The cookie that binds an attempt to its browser. */
  launchCookie(visit: Visit): void {
    const cookies = visit.headers.getSetCookie();
    this.equal(cookies.length, 1, "one cookie is set");
    for (const cookie of cookies) {
      this.matches(cookie, /;\s*HttpOnly/i, "HttpOnly");
      this.matches(cookie, /;\s*SameSite=Lax/i, "SameSite=Lax");
      this.holds(!/;\s*Domain=/i.test(cookie), "no Domain attribute", cookie.split(";").slice(1));
      if (this.target.connectHost.startsWith("https:"))
        this.matches(cookie, /^__Host-.*;\s*Secure/i, "__Host- and Secure");
    }
  }

  /** The state that rules 2 and 4 of part 3 define for a row that may not be served. */
  isWithheld(row: Connection | null, status: string, reason: string): void {
    this.holds(row !== null, "the row is still listed");
    this.shows(row, { status, profile: null }, "the row");
    this.holds((row?.capabilities.length ?? 0) > 0, "the capabilities are listed");
    for (const entry of row?.capabilities ?? [])
      this.shows(entry, { availability: "UNAVAILABLE", reason }, entry.capability);
  }

  /** Rule 4 in full, including the sync fields. */
  isWithheldInList(row: Connection | null, status: string, reason: string): void {
    this.isWithheld(row, status, reason);
    this.shows(row, { syncStatus: "STALE", lastSuccessfulSyncAt: null, nextRetryAt: null }, "the sync fields");
  }

  /** Exactly so many concurrent calls succeed; the others fail in one of these ways: a code, with its reason if any. */
  exactly<Value>(count: number, outcomes: readonly Outcome<Value>[], ways: readonly string[]) {
    const values = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    const failures = outcomes.filter((outcome) => !outcome.ok);
    this.equal(values.length, count, `how many of ${outcomes.length} concurrent calls succeed`);
    for (const { code, reason } of failures)
      this.oneOf(reason === null ? code : `${code} ${reason}`, ways, "the others");
    return { values, failures };
  }

  /** An attempt has ended so, and nothing is connected. */
  async endsUnconnected(
    { scope, id }: Attempt,
    status: string,
    resultCode: string,
    others?: Partial<ConnectSessionResult>,
  ) {
    const result = await this.get("connectSessionResult", { scope, id });
    this.ends(result, status, resultCode, others);
    this.equal((await this.get("connections", { scope })).items, [], "nothing is connected");
    return result;
  }

  endsIncomplete(job: SyncJob, incompleteReason: string): void {
    this.shows(job, { status: "SUCCEEDED", completeForWindow: false, incompleteReason }, "how the scan ended");
  }

  ends(result: ConnectSessionResult, status: string, resultCode: string | null, others: Partial<typeof result> = {}) {
    this.shows(result, { status, resultCode, ...others }, "how the attempt ended");
    if (status !== "COMPLETED") this.equal(result.connectionId, null, "no connection");
  }
}
