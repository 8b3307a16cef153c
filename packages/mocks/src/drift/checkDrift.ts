import {
  type AdminDriver,
  type CaseResult,
  READ_SAFE_CASES,
  runCases,
  type Target,
} from "@social-connect/conformance/read-safe";
import { BoundedFetch, DriftCheckError } from "./boundedFetch.ts";
import { type DriftOptions, type DriftSettings, readOptions } from "./driftOptions.ts";
import type { CaseDifference, DriftReport, UnjudgedCase } from "./driftReport.ts";
import { redactor } from "./redactor.ts";
import { ServiceCheck } from "./serviceCheck.ts";

/** Keeps the load on a shared sandbox low. */
const CONCURRENCY = 4;
/** A reserved domain (RFC 2606) that no application can register, so no attempt can start. */
const UNREGISTERED_ORIGIN = "https://drift-check.invalid";
const NO_TENANT = "drift-check-no-such-tenant";

/**
 * Compares a sandbox with the mocks: its published schema, and every conformance case without side effects. Sends a few
 * hundred requests, only queries and mutations that the service has to refuse, and follows no redirects. Rejects with a
 * DriftCheckError when the service could not be checked.
 */
export async function checkDrift(options: DriftOptions): Promise<DriftReport> {
  const settings = readOptions(options);
  const wire = new BoundedFetch(settings);
  const hide = redactor([settings.key, ...(settings.admin ? [settings.admin.key] : [])]);
  const serviceCheck = new ServiceCheck(settings, wire);
  try {
    const schema = (await serviceCheck.compareSchema()).map((one) => ({ ...one, text: hide(one.text) }));
    const results = await runCases(targetOf(settings, wire), READ_SAFE_CASES, { parallel: CONCURRENCY });
    const differing = results.filter(({ outcome }) => outcome === "failed").map((result) => differenceOf(result, hide));
    await requireFinished(wire, serviceCheck, differing);
    const hasDrift = schema.length + differing.length > 0;
    const notJudged = results.flatMap(unjudged);
    const judged = results.length - notJudged.length;
    return { hasDrift, schema, cases: { judged, differing, notJudged }, requests: wire.requests };
  } catch (error) {
    if (error instanceof DriftCheckError) throw new DriftCheckError(error.problem, hide(error.message));
    throw error;
  }
}

/** Fails when the service stopped responding or rate-limited the check, so that its results are not valid. */
async function requireFinished(
  wire: BoundedFetch,
  serviceCheck: ServiceCheck,
  differing: readonly CaseDifference[],
): Promise<void> {
  const { stopped, isRateLimited } = wire;
  const why = isRateLimited ? "the service returned HTTP 429, Too Many Requests" : stopped;
  if (why !== null) throw new DriftCheckError("unfinished", `The check is incomplete: ${why}.`);
  if (differing.length > 0) await serviceCheck.readStatus();
}

function targetOf({ url, key, tenantKey, admin }: DriftSettings, { fetch }: BoundedFetch): Target {
  return {
    fetch,
    application: {
      baseUrl: url,
      key,
      tenantKeys: [tenantKey ?? NO_TENANT],
      returnUrl: `${UNREGISTERED_ORIGIN}/return`,
      identityReturnUrl: `${UNREGISTERED_ORIGIN}/identity-return`,
      webOrigin: UNREGISTERED_ORIGIN,
    },
    knowsTenant: tenantKey !== undefined,
    connectHost: url,
    rawSocket: false,
    ...(admin && { admin: adminDriver(admin) }),
    close: async () => undefined,
  };
}

/** Uses an API key only, without the panel. */
function adminDriver({ host, key }: NonNullable<DriftSettings["admin"]>): AdminDriver {
  const closed = () => Promise.reject(new Error("A drift check cannot use the panel."));
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
