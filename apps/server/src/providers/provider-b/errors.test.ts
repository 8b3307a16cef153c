import { describe, expect, it } from "vitest";
import { EgressError } from "../../platform/egress.ts";
import type { ProviderErrorKind } from "../contract.ts";
import { ProviderError } from "../contract.ts";
import type { ReplayAnswer } from "../testing/replay.ts";
import { providerB } from "./adapter.ts";
import { OK, recorded, setUp, WINDOW } from "./testAnswers.ts";

const envelope = (status: number, code: string) => ({
  status,
  body: { data: {}, error: { code, message: "text", log_id: "1" } },
});
const CASES: [string, ProviderErrorKind, ReplayAnswer][] = [
  [
    "a dead token beside empty data",
    "access_expired",
    { status: 401, body: recorded("user-info--error-401-access-token-invalid-empty-data.json") },
  ],
  ["the rate limit", "rate_limited", { status: 429, body: recorded("error--429-rate-limit-exceeded-assembled.json") }],
  ["the rate limit with HTTP 200", "rate_limited", envelope(200, "rate_limit_exceeded")],
  ["a scope that was not granted", "scope_missing", envelope(401, "scope_not_authorized")],
  [
    "a scope that was not granted, without data",
    "scope_missing",
    { status: 401, body: recorded("user-info--error-401-scope-not-authorized-no-data.json") },
  ],
  ["a dead token with HTTP 200", "access_expired", envelope(200, "access_token_invalid")],
  ["a code that nobody knows", "rejected", envelope(403, "a_new_one")],
  ["a success without data", "unavailable", { body: { error: OK } }],
  ["a success with null for data", "unavailable", { body: { data: null, error: OK } }],
  ["a code that is no text", "unavailable", { status: 400, body: { data: {}, error: { code: null } } }],
  ["a scope that is missing", "scope_missing", envelope(200, "scope_permission_missed")],
  ["a bad request", "rejected", envelope(400, "invalid_params")],
  ["a server's failure", "unavailable", envelope(500, "internal_error")],
  ["a server's failure with HTTP 200", "unavailable", envelope(200, "internal_error")],
  ["an error without data", "access_expired", { status: 401, body: { error: { code: "access_token_invalid" } } }],
  ["HTML", "unavailable", { status: 502, body: "<html></html>" }],
  ["an empty 200", "unavailable", {}],
  ["a cut body", "unavailable", { body: '{"data":{"videos":[{"id":"1"' }],
  ["another shape", "unavailable", { body: { hello: "world" } }],
  ["videos that are no list", "unavailable", { body: { data: { videos: {} }, error: OK } }],
  ["a body that is too large", "unavailable", { fails: new EgressError("too-large", "too large") }],
];

describe("failures of the read API", () => {
  const failure = (answer: ReplayAnswer) =>
    providerB.listContent(setUp(answer).read(), WINDOW).then(
      () => expect.fail("the read succeeded"),
      (error: unknown) => (error instanceof ProviderError ? error : expect.fail(String(error))),
    );

  it.each(CASES)("%s is %s", async (_name, kind, answer) => {
    expect((await failure(answer)).kind).toBe(kind);
  });

  it("passes on when the provider says to come back", async () => {
    expect(
      (await failure({ ...envelope(429, "rate_limit_exceeded"), headers: { "retry-after": "7" } })).retryAfterSeconds,
    ).toBe(7);
  });
});
