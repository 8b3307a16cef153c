import { describe, expect, it } from "vitest";
import { EgressError } from "../../platform/network/egress.ts";
import type { ProviderErrorKind } from "../contract.ts";
import { failureOf, NOW, type ReplayAnswer } from "../testing/replay.ts";
import { providerA } from "./adapter.ts";
import { said, setUp } from "./testAnswers.ts";

const failure = (answer: ReplayAnswer) => failureOf(providerA.readAccount(setUp(answer).read()));

const error = (status: number, details: object, headers: Record<string, string> = {}): ReplayAnswer => {
  return { status, body: { error: details }, headers };
};
const reason = (status: number, name: string, domain = "global") =>
  error(status, { code: status, message: "text", errors: [{ reason: name, domain }] });

const QUOTA_EXCEEDED = "error--403-quota-exceeded-2020-key-order.json";
const DAILY_LIMIT = "error--403-daily-limit-exceeded-usage-limits.json";
const RATE_LIMIT = "error--429-rate-limit-exceeded-global-domain.json";
const CASES: [string, ProviderErrorKind, ReplayAnswer][] = [
  ["a used-up quota (2020)", "rate_limited", said(403, QUOTA_EXCEEDED)],
  ["a used-up quota (older)", "rate_limited", said(403, "error--403-quota-exceeded-legacy-key-order.json")],
  ["a limit with status 403", "rate_limited", reason(403, "rateLimitExceeded", "usageLimits")],
  ["a person's limit", "rate_limited", reason(403, "userRateLimitExceeded", "usageLimits")],
  ["the daily limit, by its older name", "rate_limited", said(403, DAILY_LIMIT)],
  ["a limit with status 429", "rate_limited", said(429, RATE_LIMIT)],
  ["a limit only in details", "rate_limited", error(403, { code: 403, details: [{ reason: "RATE_LIMIT_EXCEEDED" }] })],
  ["429 without a body", "rate_limited", { status: 429 }],
  ["a limit named by its status", "rate_limited", error(403, { code: 403, status: "RESOURCE_EXHAUSTED" })],
  ["missing scopes, only in details", "scope_missing", said(403, "error--403-scope-insufficient-details-only.json")],
  ["missing scopes, in errors", "scope_missing", reason(403, "insufficientPermissions")],
  [
    "missing scopes, in the challenge",
    "scope_missing",
    error(403, { code: 403 }, { "www-authenticate": 'Bearer error="insufficient_scope"' }),
  ],
  [
    "missing scopes, in both forms",
    "scope_missing",
    error(403, {
      code: 403,
      errors: [{ reason: "insufficientPermissions", domain: "global" }],
      status: "PERMISSION_DENIED",
      details: [{ reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT", metadata: { service: "x" } }],
    }),
  ],
  ["an invalid access token", "access_expired", reason(401, "authError")],
  [
    "an invalid access token, in the newer form",
    "access_expired",
    error(401, { code: 401, status: "UNAUTHENTICATED", details: [{ reason: "ACCESS_TOKEN_EXPIRED" }] }),
  ],
  [
    "a user without a channel",
    "account_unreadable",
    said(401, "error--401-youtube-signup-required-legacy-key-order.json"),
  ],
  ["a channel that is not accessible", "rejected", reason(403, "channelForbidden", "youtube.channel")],
  ["a deleted channel", "account_unreadable", reason(404, "channelNotFound", "youtube.channel")],
  ["a suspended account", "account_unreadable", reason(403, "accountSuspended", "youtube.common")],
  ["a suspended user", "account_unreadable", reason(403, "authenticatedUserAccountSuspended", "youtube.common")],
  ["a closed account", "account_unreadable", reason(403, "authenticatedUserAccountClosed", "youtube.common")],
  ["an account that its organization blocks", "account_unreadable", reason(403, "domainPolicy")],
  [
    "a suspended project",
    "application_refused",
    error(403, { code: 403, details: [{ reason: "CONSUMER_SUSPENDED" }] }),
  ],
  ["a refusal without a reason", "rejected", error(403, { code: 403, message: "text" })],
  ["a reason that is not a string", "rejected", error(400, { errors: [{ reason: null }, 5, null] })],
  ["401 with an empty body", "access_expired", { status: 401 }],
  ["an error inside HTTP 200", "access_expired", error(200, { code: 401, message: "x", status: "UNAUTHENTICATED" })],
  ["a disabled API", "application_refused", reason(403, "accessNotConfigured", "usageLimits")],
  ["a bad request", "rejected", reason(400, "invalidParameter")],
  ["missing scopes, with a status that means retry", "scope_missing", reason(500, "insufficientPermissions")],
  ["a bad request, with a status that means retry", "rejected", reason(503, "invalidParameter")],
  ["a server error, with a status that means too many requests", "unavailable", reason(429, "backendError")],
  ["a server's failure", "unavailable", reason(500, "backendError")],
  ["503 in HTML", "unavailable", { status: 503, body: "<html>busy</html>" }],
  ["403 in HTML", "unavailable", { status: 403, body: "<html>sorry</html>" }],
  ["200 in HTML", "unavailable", { body: "<html></html>" }],
  ["an empty 200", "unavailable", {}],
  ["a truncated body", "unavailable", { body: '{"items":[{"id":"v1","snip' }],
  ["another shape", "unavailable", { body: { hello: "world" } }],
  ["a list instead of an object", "unavailable", { body: [] }],
  ["items that are not a list", "unavailable", { body: { items: { id: "v1" } } }],
  ["a redirect", "unavailable", { status: 302, headers: { location: "https://example.com" } }],
  ["a broken connection", "unavailable", { fails: new EgressError("network", "the request failed: ECONNRESET") }],
  ["an error in our own code", "internal", { fails: new TypeError("fetch failed: https://x.example/?key=canary") }],
  ["a certificate that this machine does not trust", "internal", { fails: new EgressError("local", "not trusted") }],
  ["a time-out", "unavailable", { fails: new EgressError("timeout", "no complete response") }],
  ["a host outside the registration", "internal", { fails: new EgressError("forbidden-destination", "not allowed") }],
];

describe("failures of the read API", () => {
  it.each(CASES)("%s is %s", async (_name, kind, answer) => {
    expect((await failure(answer)).kind).toBe(kind);
  });

  it("passes Retry-After on", async () => {
    const later = { "retry-after": "30" };
    expect((await failure({ status: 429, headers: later })).retryAfterSeconds).toBe(30);
    expect((await failure({ status: 503, headers: later })).retryAfterSeconds).toBe(30);
    expect((await failure({ status: 429 })).retryAfterSeconds).toBeNull();
  });

  it("waits for midnight, when the daily quota resets, only for the daily limit", async () => {
    const wait = async (answer: ReplayAnswer) => (await failure(answer)).retryAfterSeconds;
    const untilMidnight = (Date.parse("2026-09-02T07:00:00Z") - NOW.getTime()) / 1_000;
    const quota = said(403, QUOTA_EXCEEDED);
    expect(await wait(quota)).toBe(untilMidnight);
    expect(await wait(said(403, DAILY_LIMIT))).toBe(untilMidnight);
    expect(await wait({ ...quota, headers: { "retry-after": "30" } })).toBe(30);
    expect(await wait(said(429, RATE_LIMIT))).toBeNull();
    const named = (metadata: object) =>
      error(429, { code: 429, errors: [{ reason: "rateLimitExceeded" }], details: [{ metadata }] });
    expect(await wait(named({ quota_limit: "defaultPerDayPerProject" }))).toBe(untilMidnight);
    expect(await wait(named({ quota_unit: "1/d/{project}" }))).toBe(untilMidnight);
    expect(await wait(named({ quota_limit: "defaultPerMinutePerProject" }))).toBeNull();
    expect(await wait(named({ quota_unit: "1/min/{project}/{user}" }))).toBeNull();
  });

  it("reads the delay in details", async () => {
    const details = (retryDelay: unknown) =>
      error(429, { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }] });
    expect((await failure(details("12.5s"))).retryAfterSeconds).toBe(13);
    for (const odd of ["soon", "12", 12, null]) expect((await failure(details(odd))).retryAfterSeconds).toBeNull();
  });

  it("keeps tokens, URLs and bodies out of its errors", async () => {
    for (const [, , answer] of CASES) {
      const failed = await failure(answer);
      expect(`${failed.message} ${failed.stack} ${JSON.stringify(failed)}`).not.toMatch(/canary|<a|html|youtube\/v3/);
    }
  });
});
