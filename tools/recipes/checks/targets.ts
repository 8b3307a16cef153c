/** The mocks and a development environment with the simulator, as an application sees them through the SDK. */
import { createConsumerMock } from "../../../packages/mocks/src/index.ts";
import { SocialConnect } from "../../../packages/sdk/src/index.ts";
import { runStatement } from "../../../packages/testkit/src/database.ts";
import { makeDevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";
import { type Application, applicationOf } from "../../linkAccount.ts";

export interface Target extends Application {
  readonly advance: (byMs: number) => Promise<unknown>;
  readonly jobs: (connectionId: string) => Promise<readonly { readonly kind: string; readonly status: string }[]>;
}

export async function forEachTarget(check: (target: Target) => Promise<void>): Promise<void> {
  const mock = createConsumerMock();
  await check({
    social: new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock }),
    tenantKey: mock.scope.tenantKey,
    returnUrl: mock.returnUrl,
    advance: (byMs) => mock.clock.advance(byMs),
    jobs: async (connectionId) => mock.jobs(connectionId),
    consent: async ({ id }) => mock.connect(id).complete(),
  });

  await using place = await makeDevPlace();
  const { dev } = await place.start("--clock");
  const jobs = "SELECT kind, status FROM job WHERE connection_id = $1";
  await check({
    ...applicationOf(dev.consumer),
    advance: (byMs) => place.moveClock(byMs),
    jobs: (connectionId) => runStatement(dev.databaseUrl, jobs, [connectionId]),
  });
}
