import { describe, expect, it } from "vitest";
import { startExample } from "../testing/example.ts";

function lastHandoff({ store }: ReturnType<typeof startExample>) {
  return [...store.handoffs.values()].at(-1) ?? { sessionId: "", resultProof: "" };
}

describe("signing in through the identity provider", () => {
  async function started() {
    const example = startExample();
    const visitor = example.browser();
    const launch = await visitor.post("/identity");
    const { sessionId: id, resultProof: proof } = lastHandoff(example);
    const returned = () => visitor.get(`/identity-return?ss_session_id=${id}&ss_status=COMPLETED`);
    return { ...example, visitor, launch, id, proof, returned, identity: example.mock.identity(id) };
  }

  it("is offered only if the service says that it is available", async () => {
    const { browser, mock } = startExample();
    expect((await browser().get("/sign-in")).text).toContain('action="/identity"');
    mock.application.setPolicy({ idpIdentityEnabled: false });
    await mock.clock.advance("1m");
    expect((await browser().get("/sign-in")).text).not.toContain('action="/identity"');
  });

  it("asks the service for it at most every 30 seconds, and offers the other ways during an outage", async () => {
    const { browser, mock } = startExample();
    mock.faults.always("*", { status: 503 });
    for (let times = 0; times < 3; times++) {
      expect((await browser().get("/sign-in")).text).toContain("Mara Lindqvist");
    }
    mock.calls.assertCalled("integrationReadiness", 1);
  });

  it("signs in a user who is known by issuer and subject", async () => {
    const example = await started();
    const { visitor, launch, returned, identity, browser, mock } = example;
    expect(launch.text).toContain('name="launchToken"');
    identity.signIn("ada");
    expect(await returned()).toMatchObject({ status: 303, location: "/" });
    expect((await visitor.get("/")).text).toContain("Sign out");
    const { scope } = Object(mock.calls.last("connections")?.arguments);
    expect(scope.externalSubjectId).toMatch(/^identity-[0-9a-f]{32}$/);

    const again = browser();
    await again.post("/identity");
    const { sessionId } = lastHandoff(example);
    mock.identity(sessionId).signIn("ada");
    await again.get(`/identity-return?ss_session_id=${sessionId}`);
    await again.get("/");
    mock.calls.assertCalledWith("connections", { scope });
  });

  it("limits the sign-ins of one visitor, not of the application, and counts ten minutes", async () => {
    const { browser, mock } = startExample();
    const from = (address: string) => browser(address).post("/identity");
    for (let times = 0; times < 5; times += 1) expect((await from("192.0.2.1")).status).toBe(200);
    const refused = await from("192.0.2.1");
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining("try again in ten minutes")]);
    mock.calls.assertCalled("createIdpIdentitySession", 5);
    expect((await from("192.0.2.2")).status).toBe(200);
    await mock.clock.advance("10m");
    expect((await from("192.0.2.1")).status).toBe(200);
  });

  it("keeps the proof on the server", async () => {
    const { launch, id, proof } = await started();
    expect(proof.length).toBeGreaterThan(20);
    expect(launch.text).not.toContain(proof);
    expect(String(launch.cookie)).not.toContain(proof);
    expect(String(launch.cookie)).not.toContain(id);
    expect(launch.cookie).toMatch(/HttpOnly/);
  });

  it("waits for a user who has not finished, and then signs in", async () => {
    const { id, returned, identity } = await started();
    const waiting = await returned();
    expect(waiting.text).toContain(`content="2;url=/identity-return?ss_session_id=${id}"`);
    identity.signIn();
    expect((await returned()).status).toBe(303);
  });

  it("says that the user declined, and that a result was already used", async () => {
    const { returned, identity } = await started();
    identity.deny();
    expect((await returned()).text).toContain("You did not sign in there");
    expect((await returned()).status).toBe(404);
  });

  it("shows a clear page for an address that this browser did not start", async () => {
    const { id, identity, browser, mock } = await started();
    identity.signIn();
    for (const address of ["/identity-return", `/identity-return?ss_session_id=${id}&ss_status=COMPLETED`]) {
      const { status, text } = await browser().get(address);
      expect(status).toBe(404);
      expect(text).toContain("No sign-in to finish");
    }
    mock.calls.assertNotCalled("redeemIdpIdentityResult");
  });

  it("starts again when the response of the redeem was lost", async () => {
    const { returned, identity, mock } = await started();
    identity.signIn();
    mock.faults.next("redeemIdpIdentityResult", { drop: "after" });
    expect((await returned()).status).toBe(503);
    expect((await returned()).text).toContain("already used or has expired");
  });
});
