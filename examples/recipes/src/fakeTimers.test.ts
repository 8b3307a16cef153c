import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { welcome } from "./app/welcome.ts";

// #region fake-timers
beforeEach(() => vi.useFakeTimers({ now: new Date("2026-06-15T12:00:00Z") }));
afterEach(() => vi.useRealTimers());

test("the mock goes by the test's own fake timers", async () => {
  const mock = createConsumerMock({ now: "system" });
  const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch });
  const { returnUrl, scope } = mock;
  const user = social.forSubject(scope);
  const session = await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });

  const said = welcome(social, scope, session.id);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(await said).toBe("That did not work. Please try again.");
});
// #endregion fake-timers
