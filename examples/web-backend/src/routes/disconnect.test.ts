import type { SocialProvider } from "@social-connect/sdk";
import { describe, expect, it } from "vitest";
import { startExample } from "../testing/example.ts";

describe("disconnecting", () => {
  async function disconnected(provider?: SocialProvider) {
    const example = startExample();
    const id = await example.link("slow-trains", provider);
    await example.mock.settle();
    const visitor = await example.browser().signIn();
    const question = await visitor.get(`/accounts/${id}/disconnect`);
    const { location } = await visitor.post(`/accounts/${id}/disconnect`);
    if (location === null) throw new Error("The application did not redirect to the receipts.");
    return { ...example, id, question, location, receipts: () => visitor.get(location) };
  }

  it("asks first, and only a post does it", async () => {
    const { id, question, location } = await disconnected();
    expect(question.text).toContain("Disconnect Slow trains?");
    expect(location).toBe(`/receipts/${id}`);
  });

  it("shows both receipts when all is done", async () => {
    const { mock, receipts } = await disconnected();
    await mock.settle();
    const { text } = await receipts();
    expect(text.match(/>Done</g)).toHaveLength(2);
    expect(text).not.toContain("http-equiv");
    expect(text).not.toContain("One step is yours");
  });

  it("asks the user to remove the app if the consent could not be revoked", async () => {
    const { id, receipts } = await disconnected("PROVIDER_C");
    const { text } = await receipts();
    expect(text).toContain("One step is yours");
    expect(text).toContain("offers no way to give a consent back");
    // The title agrees with the state.
    expect(text).toContain("<h2>Consent not revoked</h2>");
    expect(text).not.toContain("Consent revoked");
    expect(text).toContain(`http-equiv="refresh" content="3;url=/receipts/${id}"`);
  });

  it("reports an expired receipt, and hides receipts from other users", async () => {
    const { mock, browser, location } = await disconnected();
    await mock.clock.advance("8d");
    const receipts = await (await browser().signIn()).get(location);
    expect(receipts.text.match(/can no longer be read/g)).toHaveLength(2);
    expect((await (await browser().signIn("user-yuki")).get(location)).status).toBe(404);
  });
});
