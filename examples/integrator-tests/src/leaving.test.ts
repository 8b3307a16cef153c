import type { SocialProvider } from "@social-connect/sdk";
import { describe, expect, test } from "vitest";
import { FAREWELLS } from "./leaving.ts";
import { place } from "./testing/place.ts";

const { mock, onboarding, leaving, library, store, link, attemptOf } = place();

async function linkAt(provider: SocialProvider): Promise<void> {
  await onboarding.begin("mara", provider);
  mock.connect(attemptOf()).complete();
  await onboarding.finish("mara");
}

describe("disconnect", () => {
  test("a creator who leaves is read no more, from that moment on", async () => {
    await link();
    await library.importAll("mara");
    await leaving.leave("mara");
    expect(store.read("mara").account).toBeNull();
    await expect(library.importAll("mara")).rejects.toThrow("has linked no account");
  });

  test("the farewell says that the consent was given back, once the provider has taken it", async () => {
    await link();
    await leaving.leave("mara");
    expect(await leaving.farewell("mara")).toBe(FAREWELLS.revoked);
    expect(await leaving.farewell("mara")).toBeNull();
    await mock.settle();
    expect(mock.connections()).toEqual([]);
  });

  test("at a provider that takes no consent back, the creator is asked to remove the app", async () => {
    await linkAt("PROVIDER_C");
    await leaving.leave("mara");
    expect(await leaving.farewell("mara")).toBe(FAREWELLS["user-must-remove-app"]);
  });

  test("the creator is asked for the same when the provider refuses", async () => {
    await link("revoke-rejected");
    await leaving.leave("mara");
    expect(await leaving.farewell("mara")).toBe(FAREWELLS["user-must-remove-app"]);
  });

  test("a provider that breaks down twice is asked again, and no creator hears of it", async () => {
    await link("revoke-fails-twice");
    await leaving.leave("mara");
    expect(await leaving.farewell("mara")).toBe(FAREWELLS.revoked);
  });

  test("a farewell that is asked for a month too late says that nothing is known", async () => {
    await link();
    await leaving.leave("mara");
    await mock.clock.advance("30d");
    expect(await leaving.farewell("mara")).toBe(FAREWELLS.unknown);
  });
});

describe("lost answer", () => {
  test("a disconnect that was accepted unheard is sent again, and has the receipts of the first", async () => {
    await link("revoke-fails-twice");
    mock.faults.next("disconnectConnection", { drop: "after" });
    await leaving.leave("mara");
    mock.calls.assertCalled("disconnectConnection", 2);
    expect(mock.jobs().filter(({ kind }) => kind === "REVOKE")).toHaveLength(1);
    expect(await leaving.farewell("mara")).toBe(FAREWELLS.revoked);
  });

  test("one that is over before it can be sent again has ended all the same, and the creator hears what is known", async () => {
    await link();
    mock.faults.next("disconnectConnection", { drop: "after" });
    await leaving.leave("mara");
    expect(mock.connections()).toEqual([]);
    expect(store.read("mara").account).toBeNull();
    expect(await leaving.farewell("mara")).toBe(FAREWELLS.unknown);
  });
});
