/** Runs in a scratch copy after the field recipe: the value reaches a caller of the SDK, from the simulator's wire and from the mocks. */
import assert from "node:assert/strict";
import { DevPlace } from "../../../apps/server/src/dev/testing/devPlace.ts";
import { goThroughConsent } from "../../../examples/demo/src/browser.ts";
import { createConsumerMock } from "../../../packages/mocks/src/index.ts";

import type { Subject } from "../../../packages/sdk/src/index.ts";
import { SocialConnect } from "../../../packages/sdk/src/index.ts";

const WINDOW_MS = 60 * 24 * 3_600_000;
const HAS_FIELD = { PROVIDER_A: true, PROVIDER_B: true, PROVIDER_C: false } as const;

interface Target {
  readonly social: SocialConnect;
  readonly tenantKey: string;
  readonly returnUrl: string;
  readonly now: number;
  readonly consent: (session: Awaited<ReturnType<Subject["connect"]>>) => Promise<unknown>;
}

async function checkTarget({ social, tenantKey, returnUrl, now, consent }: Target): Promise<void> {
  for (const provider of ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const) {
    const user = social.forSubject({ tenantKey, externalSubjectId: `recipe-${provider}` });
    const session = await user.connect({ provider, capabilities: ["CONTENT_LIST"], returnUrl });
    await consent(session);
    const result = await user.connectResult(session.id).wait();
    assert(result.status === "COMPLETED");
    await user.refresh(result.connectionId).wait();
    const window = { publishedAfter: new Date(now - WINDOW_MS), publishedBefore: new Date(now) };
    await user.refresh(result.connectionId, { window }).scanAll();
    const values: unknown[] = [];
    for await (const post of user.content(result.connectionId, window)) {
      values.push(Reflect.get(post, "durationSeconds"));
    }
    assert(values.length > 0, `${provider} has posts`);
    assert(values.every((value) => value === null || typeof value === "number"));
    assert.equal(
      values.some((value) => typeof value === "number" && value > 0),
      HAS_FIELD[provider],
      `${provider}: ${values.join(", ")}`,
    );
  }
}

const mock = createConsumerMock();
await checkTarget({
  social: new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock }),
  tenantKey: mock.scope.tenantKey,
  returnUrl: mock.returnUrl,
  now: mock.clock.now(),
  consent: async ({ id }) => mock.connect(id).complete(),
});

const place = await DevPlace.make();
try {
  const { dev } = await place.start();
  const { baseUrl, key, tenantKeys, returnUrl } = dev.consumer;
  await checkTarget({
    social: new SocialConnect({ baseUrl, key }),
    tenantKey: String(tenantKeys[0]),
    returnUrl,
    now: Date.now(),
    consent: ({ launchUrl, launchToken }) => goThroughConsent(launchUrl, launchToken.reveal(), returnUrl),
  });
} finally {
  await place.clear();
}
