import type { SocialProvider } from "@social-connect/sdk";
import { describe, expect, test } from "vitest";
import { REVOKE_MESSAGES } from "./leaving.ts";
import { place } from "./testing/place.ts";

const { mock, onboarding, leaving, library, store, link, attemptOf } = place();

async function linkAt(provider: SocialProvider): Promise<void> {
  await onboarding.begin("mara", provider);
  mock.connect(attemptOf()).complete();
  await onboarding.finish("mara");
}

describe("disconnect", () => {
  test("stops reading a creator's posts when they leave", async () => {
    await link();
    await library.importAll("mara");
    await leaving.leave("mara");
    expect(store.read("mara").account).toBeNull();
    await expect(library.importAll("mara")).rejects.toThrow("has linked no account");
  });

  test("confirms the revoke after the provider accepted it", async () => {
    await link();
    await leaving.leave("mara");
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES.revoked);
    expect(await leaving.revokeMessage("mara")).toBeNull();
    await mock.settle();
    expect(mock.connections()).toEqual([]);
  });

  test("asks the creator to remove the app at a provider without a revoke endpoint", async () => {
    await linkAt("PROVIDER_C");
    await leaving.leave("mara");
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES["user-must-remove-app"]);
  });

  test("asks the creator to remove the app if the provider rejects the revoke", async () => {
    await link("revoke-rejected");
    await leaving.leave("mara");
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES["user-must-remove-app"]);
  });

  test("retries a provider that fails twice without notifying the creator", async () => {
    await link("revoke-fails-twice");
    await leaving.leave("mara");
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES.revoked);
  });

  test("reports an unknown result for a disconnect receipt requested after it expired", async () => {
    await link();
    await leaving.leave("mara");
    await mock.clock.advance("30d");
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES.unknown);
  });
});

describe("lost answer", () => {
  test("a disconnect that was accepted unheard is sent again, and has the receipts of the first", async () => {
    await link("revoke-fails-twice");
    mock.faults.next("disconnectConnection", { drop: "after" });
    await leaving.leave("mara");
    mock.calls.assertCalled("disconnectConnection", 2);
    expect(mock.jobs().filter(({ kind }) => kind === "REVOKE")).toHaveLength(1);
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES.revoked);
  });

  test("treats a disconnect that completed before its retry as successful, and reports what is known", async () => {
    await link();
    mock.faults.next("disconnectConnection", { drop: "after" });
    await leaving.leave("mara");
    expect(mock.connections()).toEqual([]);
    expect(store.read("mara").account).toBeNull();
    expect(await leaving.revokeMessage("mara")).toBe(REVOKE_MESSAGES.unknown);
  });
});
