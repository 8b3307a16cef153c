import { describe, expect, it } from "vitest";
import { ORIGIN, startExample } from "../testing/example.ts";

describe("connecting", () => {
  it("answers with the launch page, whose own policy lets its form go to the service", async () => {
    const { browser, mock } = startExample();
    const { status, text, headers } = await (await browser().signIn()).post("/connect", { provider: "PROVIDER_B" });
    expect(status).toBe(200);
    expect(text).toContain(`action="${mock.connectHost}/`);
    expect(text).toMatch(/type="hidden" name="\w+" value="[\w.-]{40,}"/);
    expect(headers.get("referrer-policy")).toBe("strict-origin");
    expect(headers.get("content-security-policy")).toContain("form-action https:");
    mock.calls.assertCalledWith("createConnectSession", {
      input: { provider: "PROVIDER_B", returnUrl: `${ORIGIN}/return` },
    });
  });

  it("reports too many attempts, and when to retry", async () => {
    const { browser, begin, mock, logged } = startExample();
    for (let attempts = 0; attempts < 5; attempts++) await begin();
    await mock.clock.advance("6m");
    const { status, text } = await (await browser().signIn()).post("/connect", { provider: "PROVIDER_A" });
    expect(status).toBe(429);
    expect(text).toContain("in about 4 minutes");
    expect(logged.join()).toContain(mock.calls.last()?.correlationId);
  });

  it("rejects an unknown provider", async () => {
    const { browser, mock } = startExample();
    expect((await (await browser().signIn()).post("/connect", { provider: "PROVIDER_Z" })).status).toBe(400);
    expect(mock.calls.all()).toEqual([]);
  });
});

describe("the return page", () => {
  async function begun() {
    const example = startExample();
    const id = await example.begin();
    const attempt = example.mock.connect(id);
    const returned = async (query = `ss_session_id=${id}&ss_status=COMPLETED`, user?: string) =>
      (await example.browser().signIn(user)).get(`/return?${query}`);
    return { ...example, id, attempt, returned };
  }

  it("leads to the account when the service says COMPLETED", async () => {
    const { attempt, returned } = await begun();
    const { connectionId } = attempt.complete();
    expect(await returned()).toMatchObject({ status: 303, location: `/accounts/${connectionId}` });
  });

  it("believes the service and not the address", async () => {
    const { attempt, returned } = await begun();
    attempt.deny();
    const answer = await returned();
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("You chose not to give access");
  });

  it("shows progress after a limited wait, and reloads automatically", async () => {
    const { id, attempt, returned, mock } = await begun();
    attempt.exchanging();
    const { text } = await returned();
    expect(text).toContain("You agreed. The account is being linked.");
    // The full URL: with a fragment that a provider added, a reload would only jump within the page.
    expect(text).toContain(`<meta http-equiv="refresh" content="1;url=/return?ss_session_id=${id}">`);
    expect(mock.calls.count("connectSessionResult")).toBeLessThan(6);
  });

  it("rejects an attempt of another user", async () => {
    const { id, attempt, returned, mock } = await begun();
    attempt.complete();
    expect((await returned(`ss_session_id=${id}`, "user-yuki")).status).toBe(404);
    mock.calls.assertNotCalled("connectSessionResult");
  });

  it("asks the user to remove the app if the service requires it", async () => {
    const { begin, browser, mock } = startExample();
    const id = await begin("PROVIDER_C");
    mock.connect(id).complete({ account: "not-a-tester" });
    const { text } = await (await browser().signIn()).get(`/return?ss_session_id=${id}`);
    expect(text).toContain("only tester accounts");
    expect(text).toContain("remove it in the provider");
  });
});
