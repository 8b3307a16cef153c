import { describe, expect, test } from "vitest";
import { place } from "./testing/place.ts";

const { mock, onboarding, store, link, attemptOf } = place();

test("a creator who consents has a linked account, under the name that it has at the provider", async () => {
  expect(await link()).toBe("linked");
  const { account } = store.read("mara");
  const [connection] = mock.connections();
  expect(account).toMatchObject({ state: "linked", connectionId: connection?.state.id, posts: [] });
  expect(account?.name).not.toBe("Unnamed");
});

describe("consent denied", () => {
  // #region test-declined
  test("a creator who declines has no account, and may try again", async () => {
    await onboarding.begin("mara", "PROVIDER_A");
    mock.connect(attemptOf()).deny();
    expect(await onboarding.finish("mara")).toBe("declined");
    expect(store.read("mara").account).toBeNull();
    expect(await link()).toBe("linked");
  });
  // #endregion test-declined

  test("reports that nothing was granted if the creator deselects every permission", async () => {
    await onboarding.begin("mara", "PROVIDER_B");
    mock.connect(attemptOf()).deny("NO_CAPABILITY_GRANTED");
    expect(await onboarding.finish("mara")).toBe("nothing-allowed");
    expect(mock.connections()).toEqual([]);
  });

  test("rejects an account that is not a tester", async () => {
    expect(await link("not-a-tester")).toBe("not-invited");
  });

  test("lets the return page of an undecided creator reload until the 10 minutes have passed", async () => {
    await onboarding.begin("mara", "PROVIDER_A");
    mock.connect(attemptOf()).launch();
    expect(await onboarding.finish("mara")).toBe("not-decided");
    await mock.connect(attemptOf()).expire();
    expect(await onboarding.finish("mara")).toBe("took-too-long");
    expect(await onboarding.finish("mara")).toBe("nobody-left");
  });
});

describe("reconnect", () => {
  test("keeps the connection id when the same account reconnects", async () => {
    await link("channel-1");
    const before = store.read("mara").account;
    mock.connection(before?.connectionId ?? "").loseGrant();
    store.update("mara", { account: before && { ...before, state: "consent-needed" } });

    expect(await link("channel-1")).toBe("linked");
    expect(store.read("mara").account).toEqual(before);
    expect(mock.calls.last("createConnectSession")?.arguments).toMatchObject({
      input: { reconnectConnectionId: before?.connectionId },
    });
  });

  test("another account does not take its place", async () => {
    await link("channel-1");
    const before = store.read("mara").account;
    mock.connection(before?.connectionId ?? "").loseGrant();
    store.update("mara", { account: before && { ...before, state: "consent-needed" } });

    expect(await link("channel-2")).toBe("other-account");
    expect(store.read("mara").account).toMatchObject({ connectionId: before?.connectionId, state: "consent-needed" });
  });
});

describe("lost answer", () => {
  test("an attempt whose answer is lost is not made twice behind the creator's back", async () => {
    mock.faults.next("createConnectSession", { drop: "after" });
    expect(await onboarding.begin("mara", "PROVIDER_A")).toEqual({ outcome: "try-again" });
    mock.calls.assertCalled("createConnectSession", 1);
    expect(store.read("mara").attempt).toBeNull();
  });

  test("starts a new attempt when the creator clicks again", async () => {
    mock.faults.next("createConnectSession", { drop: "after" });
    await onboarding.begin("mara", "PROVIDER_A");
    expect(await link()).toBe("linked");
  });

  // #region test-lost-response
  test("retries reading the result of an attempt without any visible effect", async () => {
    await onboarding.begin("mara", "PROVIDER_A");
    mock.connect(attemptOf()).complete();
    mock.faults.next("connectSessionResult", { drop: "after" });
    expect(await onboarding.finish("mara")).toBe("linked");
    mock.calls.assertCalled("connectSessionResult", 2);
  });
  // #endregion test-lost-response
});

test("rate limit: reports the waiting time to a creator with five unfinished attempts", async () => {
  for (const _ of [1, 2, 3, 4, 5]) await onboarding.begin("mara", "PROVIDER_A");
  const begun = await onboarding.begin("mara", "PROVIDER_A");
  expect(begun).toMatchObject({ outcome: "later", seconds: expect.any(Number) });
  await mock.clock.advance(begun.outcome === "later" ? begun.seconds * 1_000 : 0);
  expect(await onboarding.begin("mara", "PROVIDER_A")).toMatchObject({ outcome: "away" });
});
