import { createConsumerMock } from "@social-connect/mocks";
import type { DriftReport } from "@social-connect/mocks/drift";
import type { handlers } from "@social-connect/mocks/msw";
import { type ServedMock, serveMock } from "@social-connect/mocks/node";
import { RateLimitedError, SocialConnect } from "@social-connect/sdk";
import { ensure, type Service } from "./service.ts";

/** No request leaves the process: the mock is the service, and its clock is the SDK's. */
export async function use(_: Service): Promise<void> {
  const mock = createConsumerMock({ seed: 7 });
  const members: [keyof ServedMock, keyof DriftReport] = ["mock", "hasDrift"];
  const ofMsw: ReturnType<typeof handlers> = [];
  ensure(
    typeof serveMock === "function" && members.length === 2 && ofMsw.length === 0,
    "the other entry points have code and types",
  );
  const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock });
  const user = social.forSubject(mock.scope);
  const begin = () =>
    user.connect({
      provider: "PROVIDER_A",
      capabilities: ["PROFILE", "CONTENT_LIST"],
      returnUrl: mock.returnUrl,
    });

  const session = await begin();
  await mock.connect(session.id).complete({ account: "channel-1" });
  const result = await user.connectResult(session.id).wait();
  ensure(result.status === "COMPLETED", "the attempt is completed");
  const connection = await user.connection(result.connectionId);
  ensure(connection.status === "CONNECTED", "the account is linked");

  for (let count = 0; count < 5; count++) await begin();
  const failure: unknown = await begin().catch((error: unknown) => error);
  ensure(RateLimitedError.is(failure), "a sixth unfinished attempt is refused");
  ensure((failure.retryAfterSeconds ?? 0) > 0, "with the time after which it would not be");
}
