import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import { ACCOUNT_SCRIPTS, type AccountScript, FAULTS } from "@social-connect/simulator";
import { testClock } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { createLogger } from "../platform/log/logger.ts";
import { CallsPausedError, ProviderBreakers } from "./breakers.ts";
import { ERROR_OWNERS, ProviderError, type ProviderErrorKind } from "./contract.ts";
import { failureOf } from "./testing/replay.ts";
import { connect, lastDays, useSimulator } from "./testing/simulated.ts";

useSimulator();

/** The scripts whose calls fail, and whose fault the list says it is. */
const FAILING = Object.entries<AccountScript>(ACCOUNT_SCRIPTS).flatMap(([name, script]) => {
  const { onContentCall, onProfileCall } = script;
  const [fault, call] = onContentCall ? [onContentCall(1), "listContent"] : [onProfileCall?.(2), "readAccount"];
  const owner = fault ? FAULTS[fault.kind].of : "nobody";
  return owner === "nobody" ? [] : [{ name, call, owner, providers: script.providers ?? SOCIAL_PROVIDERS }];
});

describe.each(SOCIAL_PROVIDERS)("%s", (provider) => {
  test.each(FAILING.filter(({ providers }) => providers.includes(provider)))(
    "the failure of $name is told to be that of the $owner",
    async ({ name, call, owner }) => {
      const { adapter, session } = await connect(provider, name);
      const failed = await failureOf(
        call === "listContent" ? adapter.listContent(session, lastDays(30)) : adapter.readAccount(session),
      );
      expect(ERROR_OWNERS[failed.kind]).toBe(owner);
    },
  );
});

test("each owner of a fault that the service has to tell from the others has a script", () => {
  expect([...new Set(FAILING.map(({ owner }) => owner))].sort()).toEqual([
    "account",
    "application",
    "call",
    "grant",
    "limit",
    "provider",
  ]);
});

test("only an outage of the provider pauses its calls, whatever happens to accounts, applications, grants and limits", async () => {
  const paused: string[] = [];
  for (const kind of Object.keys(ERROR_OWNERS) as ProviderErrorKind[]) {
    const breakers = new ProviderBreakers({
      clock: testClock(),
      logger: createLogger({ level: "silent", role: "test" }),
    });
    const call = (account: number, result: () => Promise<void>) =>
      breakers.run("registration", `account-${account}`, result);
    for (let account = 0; account < 20; account += 1) {
      const error = new ProviderError(kind, "refused", { refusal: { status: 503, code: null } });
      await expect(call(account, () => Promise.reject(error))).rejects.toThrow(ProviderError);
    }
    await call(20, async () => undefined).catch((error: unknown) => {
      if (!(error instanceof CallsPausedError)) throw error;
      paused.push(kind);
    });
  }
  expect(paused).toEqual(["unavailable"]);
});
