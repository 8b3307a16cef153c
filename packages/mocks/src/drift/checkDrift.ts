import type { AdminDriver, CaseResult, Target } from "@social-connect/conformance/read-safe";
import { READ_SAFE_CASES, runCases } from "@social-connect/conformance/read-safe";
import { BoundedFetch } from "./boundedFetch.ts";
import { DriftCheckError } from "./driftCheckError.ts";
import type { DriftOptions, DriftSettings } from "./driftOptions.ts";
import { readOptions } from "./driftOptions.ts";
import { Greeting } from "./greeting.ts";
import { redactor } from "./redactor.ts";
import type { SchemaDifference } from "./schemaDifferences.ts";

/** A case in which the service did other than the mocks do. */
export interface CaseDifference {
  /** As the conformance suite names it, e.g. `S8.aliases.boundary`. */
  readonly id: string;
  /** What holds for the mocks, as a sentence. */
  readonly title: string;
  /** What of it did not hold. */
  readonly what: string;
  /** What the mocks answer; null where that is no one value. */
  readonly expected: string | null;
  /** What the service answered, without keys; null where that is no one value. */
  readonly actual: string | null;
}

/** A case that was left out, and what was not given for it. */
export interface UnjudgedCase {
  /** As the conformance suite names it. */
  readonly id: string;
  /** What holds for the mocks, as a sentence. */
  readonly title: string;
  /** The options that would have let it run. */
  readonly needs: readonly ("tenantKey" | "admin")[];
}

/** What differs between a service and the mocks, and what could not be looked at. */
export interface DriftReport {
  /** Whether anything differs at all, be it something that no caller has to mind. */
  readonly hasDrift: boolean;
  /** The breaking ones first. The admin schema is published nowhere, so this is the consumer's. */
  readonly schema: readonly SchemaDifference[];
  /** The conformance cases that leave nothing behind. */
  readonly cases: {
    /** How many were run. */
    readonly judged: number;
    readonly differing: readonly CaseDifference[];
    readonly notJudged: readonly UnjudgedCase[];
  };
  /** How many requests that took. */
  readonly requests: number;
}

/** Few enough that nobody else at the sandbox notices. */
const AT_A_TIME = 4;
/** No application can have an address registered here (RFC 2606), so no attempt can begin, whatever else a service lets through. */
const NOWHERE = "https://drift-check.invalid";
const NO_TENANT = "drift-check-no-such-tenant";

/**
 * Holds a sandbox against the mocks: the schema that it publishes, and every conformance case that leaves nothing behind.
 * A few hundred requests are sent, queries and changes that have to be refused, and no redirect is followed. Rejects with
 * a DriftCheckError when the service could not be checked, which is not to say that it differs.
 */
export async function checkDrift(options: DriftOptions): Promise<DriftReport> {
  const settings = readOptions(options);
  const wire = new BoundedFetch(settings);
  const hide = redactor([settings.key, ...(settings.admin ? [settings.admin.key] : [])]);
  const greeting = new Greeting(settings, wire);
  try {
    const schema = (await greeting.introduce()).map((one) => ({ ...one, text: hide(one.text) }));
    const results = await runCases(targetOf(settings, wire), READ_SAFE_CASES, { rows: [], parallel: AT_A_TIME });
    const differing = results.filter(({ outcome }) => outcome === "failed").map((result) => differenceOf(result, hide));
    await refuseUnfinished(wire, greeting, differing);
    const hasDrift = schema.length + differing.length > 0;
    const notJudged = results.flatMap(unjudged);
    const judged = results.length - notJudged.length;
    return { hasDrift, schema, cases: { judged, differing, notJudged }, requests: wire.requests };
  } catch (error) {
    if (error instanceof DriftCheckError) throw new DriftCheckError(error.problem, hide(error.message));
    throw error;
  }
}

/** A service that has stopped answering, or was too busy to, did not show that it differs. */
async function refuseUnfinished(
  wire: BoundedFetch,
  greeting: Greeting,
  differing: readonly CaseDifference[],
): Promise<void> {
  const { stopped, isRefused } = wire;
  const why = isRefused ? "the service answered HTTP 429, that there were too many requests" : stopped;
  if (why !== null) throw new DriftCheckError("unfinished", `Not all of it could be checked: ${why}.`);
  if (differing.length > 0) await greeting.look();
}

function targetOf({ url, key, tenantKey, admin }: DriftSettings, { fetch }: BoundedFetch): Target {
  return {
    name: url,
    fetch,
    application: {
      baseUrl: url,
      key,
      tenantKeys: [tenantKey ?? NO_TENANT],
      returnUrl: `${NOWHERE}/return`,
      identityReturnUrl: `${NOWHERE}/identity-return`,
      webOrigin: NOWHERE,
    },
    knowsTenant: tenantKey !== undefined,
    connectHost: url,
    rawSocket: false,
    ...(admin && { admin: adminDriver(admin) }),
    close: async () => undefined,
  };
}

/** With a key alone: nobody signs in to the panel. */
function adminDriver({ host, key }: NonNullable<DriftSettings["admin"]>): AdminDriver {
  const closed = () => Promise.reject(new Error("A check with a key has no way into the panel."));
  return { adminHost: host, readKey: key, writeKey: key, panel: { email: "", run: closed }, signIn: closed };
}

function differenceOf({ id, title, failure }: CaseResult, hide: (text: string) => string): CaseDifference {
  const { what = "", expected = null, actual = null } = failure ?? {};
  const hidden = (text: string | null) => (text === null ? null : hide(text));
  return { id, title, what: hide(what), expected: hidden(expected), actual: hidden(actual) };
}

function unjudged({ id, title, missing }: CaseResult): UnjudgedCase[] {
  if (missing === undefined) return [];
  return [{ id, title, needs: missing.map((need) => (need === "tenant" ? "tenantKey" : "admin")) }];
}
