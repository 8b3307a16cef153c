import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { PROVIDER_TRAITS } from "@social-connect/domain";
import { describe, expect, test } from "vitest";
import { makeWorld } from "../mock/options.ts";
import { createConnectSession, readConnectResult } from "../modules/connect/connectSessions.ts";
import type { World } from "../world/world.ts";
import { ConnectControl } from "./connectControl.ts";

const MINUTE_MS = 60_000;
const SCOPE = { tenantKey: "acme", externalSubjectId: "user-1" };
/** Only a provider without revocation requires the person to remove the app. */
const creatorActionAt = (provider: SocialProvider) =>
  PROVIDER_TRAITS[provider].canRevoke ? null : "REMOVE_APP_AT_PROVIDER";

const providers = [...SOCIAL_PROVIDERS];
const callerOf = (world: World) => {
  const [application] = world.state.applications.values();
  if (application === undefined) throw new Error("The mock begins with an application.");
  return { application, keyId: "none" };
};

/** An attempt of the person's, and what a caller reads of it. */
function begin(provider: SocialProvider) {
  const world = makeWorld({});
  const caller = callerOf(world);
  const [returnUrl = ""] = caller.application.returnUrls;
  const { id } = createConnectSession(world, caller, {
    scope: SCOPE,
    provider,
    capabilities: ["PROFILE"],
    returnUrl,
  });
  const read = () => {
    const { creatorAction, resultCode, status } = readConnectResult(world, caller, SCOPE, id);
    return { creatorAction, resultCode, status };
  };
  return { world, attempt: new ConnectControl(world, id), read };
}

describe.each(providers)("%s", (provider) => {
  const expired = { status: "EXPIRED", resultCode: "DEADLINE_PASSED" };

  test("returns the same creatorAction for an overdue exchange before and after the sweep", async () => {
    const { attempt, read, world } = begin(provider);
    attempt.exchanging();
    await world.advanceTo(world.nowMs() + 11 * MINUTE_MS);
    const before = read();
    expect(before).toEqual({ ...expired, creatorAction: creatorActionAt(provider) });
    await world.advanceTo(world.nowMs() + 2 * 60 * MINUTE_MS);
    expect(attempt.state.status).toBe("EXPIRED");
    expect(read()).toEqual(before);
  });

  test("expire() ends an exchange with the same creatorAction", async () => {
    const { attempt, read } = begin(provider);
    attempt.exchanging();
    expect(await attempt.expire()).toMatchObject({ ...expired, creatorAction: creatorActionAt(provider) });
    expect(read()).toEqual({ ...expired, creatorAction: creatorActionAt(provider) });
  });

  test("has no creatorAction when an attempt without consent expires", async () => {
    const { attempt, read, world } = begin(provider);
    attempt.launch();
    await world.advanceTo(world.nowMs() + 2 * 60 * MINUTE_MS);
    expect(read()).toEqual({ ...expired, creatorAction: null });
  });

  test.each(["EXCHANGE_FAILED", "PROVIDER_UNAVAILABLE"] as const)(
    "%s sets creatorAction, because the person has consented",
    (code) => {
      const { attempt, read } = begin(provider);
      const failed = { status: "FAILED", resultCode: code, creatorAction: creatorActionAt(provider) };
      expect(attempt.fail(code)).toMatchObject(failed);
      expect(read()).toEqual(failed);
    },
  );
});
