import { describe, expect, it } from "vitest";
import { LAUNCH_TOKEN, ORIGIN, refusal, startExample } from "../testing/fakeService.ts";

function connectResult(status: string, fields: object = {}) {
  return {
    id: "session-1",
    provider: "PROVIDER_A",
    status,
    resultCode: null,
    connectionId: status === "COMPLETED" ? "connection-1" : null,
    creatorAction: null,
    expiresAt: "2026-03-01T12:10:00.000Z",
    resultExpiresAt: "2026-03-02T12:00:00.000Z",
    ...fields,
  };
}

describe("connecting", () => {
  it("answers with the launch page, whose own policy lets its form go to the service", async () => {
    const { browser, calls } = startExample();
    const { status, text, headers } = await (await browser().signIn()).post("/connect", { provider: "PROVIDER_B" });
    expect(status).toBe(200);
    expect(text).toContain(`value="${LAUNCH_TOKEN}"`);
    expect(headers.get("referrer-policy")).toBe("strict-origin");
    expect(headers.get("content-security-policy")).toContain("form-action http: https:");
    expect(calls.at(-1)?.variables.input).toMatchObject({ provider: "PROVIDER_B", returnUrl: `${ORIGIN}/return` });
  });

  it("reports too many attempts, and when to retry", async () => {
    const { browser, logged } = startExample({
      createConnectSession: refusal("RATE_LIMITED", { retryAfterSeconds: 240 }),
    });
    const { status, text } = await (await browser().signIn()).post("/connect", { provider: "PROVIDER_A" });
    expect(status).toBe(429);
    expect(text).toContain("in about 4 minutes");
    expect(logged.join()).toContain("99999999-8888-4777-8666-555555555555");
  });

  it("rejects an unknown provider", async () => {
    const { browser, calls } = startExample();
    expect((await (await browser().signIn()).post("/connect", { provider: "PROVIDER_Z" })).status).toBe(400);
    expect(calls).toEqual([]);
  });
});

describe("the return page", () => {
  async function returned(result: object, query = "ss_session_id=session-1&ss_status=COMPLETED") {
    const example = startExample({ connectSessionResult: result });
    const visitor = await example.browser().signIn();
    await visitor.post("/connect", { provider: "PROVIDER_A" });
    return { example, answer: await visitor.get(`/return?${query}`) };
  }

  it("leads to the account when the service says COMPLETED", async () => {
    const { answer } = await returned(connectResult("COMPLETED"));
    expect(answer).toMatchObject({ status: 303, location: "/accounts/connection-1" });
  });

  it("believes the service and not the address", async () => {
    const { answer } = await returned(connectResult("DENIED", { resultCode: "USER_DENIED" }));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("You chose not to give access");
  });

  it("shows progress after a limited wait, and reloads automatically", async () => {
    const { answer, example } = await returned(connectResult("EXCHANGING"));
    expect(answer.text).toContain("You agreed. The account is being linked.");
    // The full URL: with a fragment that a provider added, a reload would only jump within the page.
    expect(answer.text).toContain('<meta http-equiv="refresh" content="1;url=/return?ss_session_id=session-1">');
    expect(example.calls.filter((call) => call.operation === "connectSessionResult").length).toBeLessThan(6);
  });

  it("rejects an attempt of another user", async () => {
    const { browser, calls } = startExample({ connectSessionResult: connectResult("COMPLETED") });
    await (await browser().signIn("user-mara")).post("/connect", { provider: "PROVIDER_A" });
    const { status } = await (await browser().signIn("user-yuki")).get("/return?ss_session_id=session-1");
    expect(status).toBe(404);
    expect(calls.map((call) => call.operation)).not.toContain("connectSessionResult");
  });

  it("asks the user to remove the app if the service requires it", async () => {
    const result = connectResult("FAILED", { resultCode: "NOT_A_TESTER", creatorAction: "REMOVE_APP_AT_PROVIDER" });
    const { answer } = await returned(result);
    expect(answer.text).toContain("only tester accounts");
    expect(answer.text).toContain("remove it in the provider");
  });
});
