import { describe, expect, it } from "vitest";
import type { ProviderErrorKind } from "../contract.ts";
import { failureOf, type ReplayAnswer } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { recorded, said, setUp, WINDOW } from "./testAnswers.ts";

const graph = (status: number, code: number, more: object = {}) => ({
  status,
  body: { error: { code, type: "OAuthException", message: "text", ...more } },
});
const CASES: [string, ProviderErrorKind, ReplayAnswer][] = [
  ["the user removed the app", "grant_gone", said(400, "error--190-458-app-removed-by-user.json")],
  ["the password changed", "grant_gone", said(400, "error--190-460-password-changed-no-trace.json")],
  ["the user has to confirm the account", "grant_gone", graph(400, 190, { error_subcode: 464 })],
  ["the user has to pass a security check", "grant_gone", graph(400, 190, { error_subcode: 459 })],
  ["the session expired", "access_expired", graph(400, 190, { error_subcode: 467 })],
  ["an unknown subcode", "access_expired", graph(400, 190, { error_subcode: 9_999_999 })],
  ["the token expired", "access_expired", graph(400, 190, { error_subcode: 463 })],
  ["a token without a subcode", "access_expired", graph(401, 190)],
  ["code as text", "access_expired", { status: 400, body: { error: { code: "190" } } }],
  ["an error inside HTTP 200", "access_expired", graph(200, 190)],
  ["the app's limit, as 403", "rate_limited", said(403, "error--4-application-limit-transient-http-403.json")],
  ["the account's limit", "rate_limited", graph(400, 17)],
  ["the page's limit", "rate_limited", graph(400, 32)],
  ["a custom limit", "rate_limited", graph(400, 613)],
  ["a business limit", "rate_limited", graph(400, 80_002)],
  ["a temporary limit of the app", "rate_limited", graph(400, 341)],
  ["a temporary limit of the user", "unavailable", graph(400, 368)],
  ["429 alone", "rate_limited", { status: 429 }],
  ["a granted permission that is missing", "application_refused", graph(403, 10)],
  ["a granted permission that is missing, in the 200s", "application_refused", graph(403, 200)],
  [
    "a permission that the person withdrew",
    "scope_missing",
    graph(403, 200, { message: "The user hasn't authorized the application to perform this action" }),
  ],
  ["a temporary error", "unavailable", graph(400, 999, { is_transient: true })],
  ["a temporary error, as text", "unavailable", graph(400, 999, { is_transient: "1" })],
  ["the provider's own error", "unavailable", graph(500, 2)],
  ["an error without a specific code", "unavailable", graph(400, -1)],
  ["a missing capability", "application_refused", said(400, "error--3-application-without-capability.json")],
  [
    "an application without advanced access",
    "application_refused",
    graph(403, 200, { message: "(#200) This app does not have Advanced Access to instagram_business_basic" }),
  ],
  [
    "an application that is not live",
    "application_refused",
    graph(403, 200, { message: "The app is not in live mode." }),
  ],
  ["an account without a role", "application_refused", graph(400, 10, { message: "Insufficient developer role" })],
  ["a temporary error that resembles a missing permission", "unavailable", graph(403, 10, { is_transient: true })],
  ["nulls for codes", "rejected", graph(400, null as never, { error_subcode: null, type: null, message: null })],
  ["an unknown error", "unavailable", graph(400, 1)],
  [
    "the account itself is missing, or not accessible",
    "rejected",
    said(400, "error--803-ig-api-exception-object-missing.json"),
  ],
  ["a bad parameter", "rejected", graph(400, 100)],
  ["the application is blocked", "application_refused", graph(400, 200, { message: "API access blocked." })],
  [
    "the API access is disrupted",
    "application_refused",
    graph(400, 200, { message: "API access disrupted. Go to the App Dashboard." }),
  ],
  ["the application is inactive", "application_refused", graph(400, 200, { message: "App not active" })],
  [
    "the application lacks its review",
    "application_refused",
    graph(403, 10, { message: "Complete Business Verification" }),
  ],
  ["a suspended user", "account_unreadable", graph(400, 200, { message: "The user has been suspended" })],
  ["a permission without its owner", "application_refused", graph(403, 200, { message: "Permissions error" })],
  ["the application is deleted", "application_refused", graph(400, 190, { message: "Application has been deleted" })],
  ["the application is restricted", "application_refused", graph(400, 10, { message: "The app is restricted" })],
  ["the application cannot be validated", "application_refused", graph(400, 101)],
  ["an address that the application does not allow", "application_refused", graph(400, 5)],
  ["an account that is not professional", "account_unreadable", graph(400, 10, { message: "not a Business account" })],
  ["an account that was disabled", "account_unreadable", graph(403, 200, { message: "The account was disabled" })],
  ["a restricted account", "account_unreadable", graph(400, 9, { error_subcode: 2_207_050 })],
  ["a granted permission that is missing, with a status that means retry", "application_refused", graph(500, 10)],
  ["a bad parameter, with a status that means retry", "rejected", graph(503, 100)],
  ["an invalid token, with a status that means retry", "access_expired", graph(429, 190)],
  ["HTML", "unavailable", { status: 404, body: "<html></html>" }],
  ["an empty 200", "unavailable", {}],
  ["a truncated body", "unavailable", { body: '{"data":[{"id":"1"' }],
  ["another shape", "unavailable", { body: { hello: "world" } }],
];

describe("failures of the read API", () => {
  const failure = (answer: ReplayAnswer) => failureOf(providerC.listContent(setUp(answer).read(), WINDOW));

  it.each(CASES)("%s is %s", async (_name, kind, answer) => {
    const error = await failure(answer);
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain("1234567890123456");
  });

  it.each([10, 200, 230, 299])("code %i concerns the person who has not granted the permission", async (code) => {
    const read = setUp(graph(403, code)).read({ capabilities: [] });
    expect((await failureOf(providerC.listContent(read, WINDOW))).kind).toBe("scope_missing");
  });

  it("reports a removed app only for a removed app", async () => {
    const appRemoved = await Promise.all(CASES.map(async ([, , answer]) => (await failure(answer)).appRemoved));
    expect(appRemoved).toEqual(CASES.map(([name]) => name === "the user removed the app"));
  });

  it("reads the longest wait from the usage header, in minutes", async () => {
    const usage = JSON.parse(recorded("response-headers--business-use-case-usage.json"))["x-business-use-case-usage"];
    const wait = async (minutes: number) => {
      usage["17841400000000001"][0].estimated_time_to_regain_access = minutes;
      const headers = { "x-business-use-case-usage": JSON.stringify(usage) };
      return (await failure({ ...graph(400, 80_002), headers })).retryAfterSeconds;
    };
    expect(await wait(0)).toBeNull();
    // Without the header, the limits are counted within an hour.
    expect((await failure(graph(400, 80_002))).retryAfterSeconds).toBe(3_600);
    expect(await wait(5)).toBe(300);
    expect(await wait(1e9)).toBe(86_400);
  });
});

describe("the share of the limit that is used", () => {
  const usage = (more: object) => {
    const value = JSON.parse(recorded("response-headers--business-use-case-usage.json"))["x-business-use-case-usage"];
    Object.assign(value["17841400000000001"][0], more);
    return new Headers({ "x-business-use-case-usage": JSON.stringify(value) });
  };

  it("is the largest of the percentages, and 1 while access is blocked", () => {
    expect(providerC.readUsage?.(usage({}))).toBe(0.29);
    expect(providerC.readUsage?.(usage({ call_count: 93 }))).toBe(0.93);
    expect(providerC.readUsage?.(usage({ call_count: "93", total_time: "soon" }))).toBe(0.93);
    expect(providerC.readUsage?.(usage({ estimated_time_to_regain_access: 7 }))).toBe(1);
    const ofApplication = usage({ call_count: 93 });
    ofApplication.set("x-app-usage", '{"call_count":28,"total_time":97,"total_cputime":25}');
    expect(providerC.readUsage?.(ofApplication)).toBe(0.97);
    expect(providerC.readUsage?.(new Headers({ "x-app-usage": '{"call_count":28}' }))).toBe(0.28);
  });

  it.each([["{"], ["[]"], ['{"1":[{"call_count":"many"}]}'], ["null"]])("is unknown where the header is %s", (text) => {
    expect(providerC.readUsage?.(new Headers({ "x-business-use-case-usage": text }))).toBeNull();
  });

  it("is unknown without the header", () => {
    expect(providerC.readUsage?.(new Headers())).toBeNull();
  });
});
