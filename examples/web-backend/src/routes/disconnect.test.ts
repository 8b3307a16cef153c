import { describe, expect, it } from "vitest";
import { job, refusal, startExample } from "../testing/fakeService.ts";

describe("disconnecting", () => {
  async function disconnected(receipts: Readonly<Record<string, object>>) {
    const example = startExample({ syncJob: ({ id }) => receipts[String(id)] ?? refusal("NOT_FOUND") });
    const visitor = await example.browser().signIn();
    const question = await visitor.get("/accounts/connection-1/disconnect");
    const { location } = await visitor.post("/accounts/connection-1/disconnect");
    return { question, location, example, answer: await visitor.get(location ?? "") };
  }

  it("asks first, and only a post does it", async () => {
    const { question, location } = await disconnected({});
    expect(question.text).toContain("Disconnect Slow Trains?");
    expect(location).toBe("/receipts/connection-1");
  });

  it("shows both receipts when all is done", async () => {
    const { answer } = await disconnected({ "revoke-1": job("SUCCEEDED"), "erase-1": job("SUCCEEDED") });
    expect(answer.text.match(/>Done</g)).toHaveLength(2);
    expect(answer.text).not.toContain("http-equiv");
    expect(answer.text).not.toContain("One step is yours");
  });

  it("asks the user to remove the app if the consent could not be revoked", async () => {
    const revoke = job("FAILED", { errorCode: "REVOKE_UNSUPPORTED", creatorAction: "REMOVE_APP_AT_PROVIDER" });
    const { answer } = await disconnected({ "revoke-1": revoke, "erase-1": job("RUNNING") });
    expect(answer.text).toContain("One step is yours");
    expect(answer.text).toContain("offers no way to give a consent back");
    expect(answer.text).toContain('http-equiv="refresh" content="3;url=/receipts/connection-1"');
  });

  it("reports an expired receipt, and hides receipts from other users", async () => {
    const { answer, example } = await disconnected({});
    expect(answer.text.match(/can no longer be read/g)).toHaveLength(2);
    const other = await (await example.browser().signIn("user-yuki")).get("/receipts/connection-1");
    expect(other.status).toBe(404);
  });
});
