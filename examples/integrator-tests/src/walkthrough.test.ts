// #region walkthrough
import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, expect, test } from "vitest";

const mock = createConsumerMock();
const server = setupServer(...mock.handlers());
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());

test("connect, content, rate limit, disconnect", async () => {
  const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, clock: mock.clock });
  const user = social.forSubject(mock.scope);
  const { returnUrl } = mock;
  const request = { provider: "PROVIDER_A", capabilities: ["PROFILE", "CONTENT_LIST"], returnUrl } as const;

  const session = await user.connect(request);
  mock.connect(session.id).complete({ account: "harbor-workshop" });
  const { connectionId } = await user.connectResult(session.id).wait();
  const window = { publishedAfter: "2026-06-01T00:00:00Z", publishedBefore: mock.clock.date() };
  expect(await user.refresh(connectionId ?? "", { window }).scanAll()).toMatchObject({ complete: true });
  expect((await user.content(connectionId ?? "", window).page()).items).not.toEqual([]);

  mock.faults.next("createConnectSession", { code: "RATE_LIMITED", retryAfterSeconds: 600 });
  await expect(user.connect(request)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 600 });

  const disconnection = await user.disconnect(connectionId ?? "");
  expect(await disconnection.settled()).toBe("revoked");
});
// #endregion walkthrough
