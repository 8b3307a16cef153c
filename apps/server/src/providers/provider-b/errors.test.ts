import { describe, expect, it } from "vitest";
import { EgressError } from "../../platform/network/egress.ts";
import type { ProviderErrorKind } from "../contract.ts";
import { failureOf, type ReplayAnswer } from "../testing/replay.ts";
import { providerB } from "./adapter.ts";
import { OK, said, setUp, WINDOW } from "./testAnswers.ts";

const envelope = (status: number, code: string) => ({
  status,
  body: { data: {}, error: { code, message: "text", log_id: "1" } },
});
const flat = (status: number, error: string) => ({ status, body: { error, error_description: "text", log_id: "1" } });
const CASES: [string, ProviderErrorKind, ReplayAnswer][] = [
  [
    "an invalid token beside empty data",
    "access_expired",
    said(401, "user-info--error-401-access-token-invalid-empty-data.json"),
  ],
  ["the rate limit", "rate_limited", said(429, "error--429-rate-limit-exceeded-assembled.json")],
  ["the rate limit with HTTP 200", "rate_limited", envelope(200, "rate_limit_exceeded")],
  ["a scope that was not granted", "scope_missing", envelope(401, "scope_not_authorized")],
  [
    "a scope that was not granted, without data",
    "scope_missing",
    said(401, "user-info--error-401-scope-not-authorized-no-data.json"),
  ],
  ["an invalid token with HTTP 200", "access_expired", envelope(200, "access_token_invalid")],
  ["an unknown code", "rejected", envelope(403, "a_new_one")],
  ["a success without data", "unavailable", { body: { error: OK } }],
  ["a success with null for data", "unavailable", { body: { data: null, error: OK } }],
  ["a code that is not a string", "unavailable", { status: 400, body: { data: {}, error: { code: null } } }],
  ["a granted scope that is missing", "application_refused", envelope(200, "scope_permission_missed")],
  ["a blocked client", "application_refused", envelope(403, "unauthorized_client")],
  ["a wrong client key", "application_refused", envelope(401, "invalid_client_key")],
  ["an application under review", "application_refused", flat(403, "app_under_review")],
  ["a deactivated account", "account_unreadable", flat(403, "deactivated_account")],
  ["a deleted user", "account_unreadable", envelope(403, "user_has_been_deleted")],
  ["a blocked post", "rejected", envelope(403, "video_blocked")],
  ["a client at its cap of users", "application_refused", envelope(403, "reached_active_user_cap")],
  ["a banned account", "account_unreadable", envelope(403, "user_banned")],
  ["a bad request", "rejected", envelope(400, "invalid_params")],
  ["a server's failure", "unavailable", envelope(500, "internal_error")],
  ["a server error with HTTP 200", "unavailable", envelope(200, "internal_error")],
  ["an error without data", "access_expired", { status: 401, body: { error: { code: "access_token_invalid" } } }],
  ["a missing scope in the flat form", "scope_missing", flat(401, "scope_not_authorized")],
  ["a granted scope that is missing in the flat form", "application_refused", flat(400, "scope_permission_missed")],
  ["an application that is not live", "application_refused", envelope(403, "app_not_live")],
  ["a client error in the flat form, with a status that means sign in", "rejected", flat(401, "invalid_params")],
  ["a client error in the flat form, with a status that means retry", "rejected", flat(500, "invalid_params")],
  ["a client error in the envelope, with a status that means retry", "rejected", envelope(503, "invalid_params")],
  ["a missing scope, with a status that means retry", "scope_missing", envelope(500, "scope_not_authorized")],
  ["an invalid token in the flat form", "access_expired", flat(400, "access_token_invalid")],
  ["the rate limit in the flat form", "rate_limited", flat(400, "rate_limit_exceeded")],
  ["a server error in the flat form", "unavailable", flat(400, "internal_error")],
  ["an unknown flat code, by its status 401", "access_expired", flat(401, "a_new_one")],
  ["an unknown flat code, by its status 429", "rate_limited", flat(429, "a_new_one")],
  ["an unknown flat code, by its status 503", "unavailable", flat(503, "a_new_one")],
  ["an unknown flat code, with HTTP 200", "rejected", flat(200, "a_new_one")],
  ["a flat code without an error object", "scope_missing", { status: 401, body: { code: "scope_not_authorized" } }],
  ["HTML", "unavailable", { status: 502, body: "<html></html>" }],
  ["an empty 200", "unavailable", {}],
  ["a truncated body", "unavailable", { body: '{"data":{"videos":[{"id":"1"' }],
  ["another shape", "unavailable", { body: { hello: "world" } }],
  ["videos that are not a list", "unavailable", { body: { data: { videos: {} }, error: OK } }],
  ["a body that is too large", "unavailable", { fails: new EgressError("too-large", "too large") }],
];

describe("failures of the read API", () => {
  // Sent twice: a bad request can concern an optional field, and is repeated without these.
  const failure = (answer: ReplayAnswer) => failureOf(providerB.listContent(setUp(answer, answer).read(), WINDOW));

  it.each(CASES)("%s is %s", async (_name, kind, answer) => {
    expect((await failure(answer)).kind).toBe(kind);
  });

  it("concerns the person who has not granted the scope", async () => {
    const read = setUp(envelope(401, "scope_permission_missed")).read({ capabilities: ["PROFILE"] });
    expect((await failureOf(providerB.listContent(read, WINDOW))).kind).toBe("scope_missing");
  });

  it("passes Retry-After on", async () => {
    const limited = { ...envelope(429, "rate_limit_exceeded"), headers: { "retry-after": "7" } };
    expect((await failure(limited)).retryAfterSeconds).toBe(7);
  });
});
