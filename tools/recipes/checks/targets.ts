/** The mocks and a development environment with the simulator, as an application sees them through the SDK. */
import assert from "node:assert/strict";
import { goThroughConsent } from "../../../examples/demo/src/browser.ts";
import { createConsumerMock } from "../../../packages/mocks/src/index.ts";
import {
  type Capability,
  type ContentItem,
  SocialConnect,
  type SocialProvider,
  type Subject,
} from "../../../packages/sdk/src/index.ts";
import { runStatement } from "../../../packages/testkit/src/database.ts";
import type { DevFile } from "../../../packages/testkit/src/harness/devFile.ts";
import { DevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";

const WINDOW_MS = 60 * 24 * 3_600_000;

export interface Target {
  readonly social: SocialConnect;
  readonly tenantKey: string;
  readonly returnUrl: string;
  readonly now: number;
  readonly advance: (byMs: number) => Promise<unknown>;
  readonly jobs: (connectionId: string) => Promise<readonly { readonly kind: string; readonly status: string }[]>;
  readonly consent: (session: Awaited<ReturnType<Subject["connect"]>>) => Promise<unknown>;
}

export interface Linked {
  readonly user: Subject;
  readonly connectionId: string;
  /** Those of the last two months. */
  readonly posts: readonly ContentItem[];
}

export async function forEachTarget(check: (target: Target) => Promise<void>): Promise<void> {
  const mock = createConsumerMock();
  await check({
    social: new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock }),
    tenantKey: mock.scope.tenantKey,
    returnUrl: mock.returnUrl,
    now: mock.clock.now(),
    advance: (byMs) => mock.clock.advance(byMs),
    jobs: async (connectionId) => mock.jobs(connectionId),
    consent: async ({ id }) => mock.connect(id).complete(),
  });

  const place = await DevPlace.make();
  try {
    const { dev } = await place.start("--clock");
    await check(devTarget(place, dev));
  } finally {
    await place.clear();
  }
}

/** A development environment. */
export function devTarget(place: DevPlace, { consumer, databaseUrl }: DevFile): Target {
  const { baseUrl, key, tenantKeys, returnUrl } = consumer;
  const jobs = "SELECT kind, status FROM job WHERE connection_id = $1";
  return {
    social: new SocialConnect({ baseUrl, key }),
    tenantKey: String(tenantKeys[0]),
    returnUrl,
    now: Date.now(),
    advance: (byMs) => place.moveClock(byMs),
    jobs: (connectionId) => runStatement(databaseUrl, jobs, [connectionId]),
    consent: ({ launchUrl, launchToken }) => goThroughConsent(launchUrl, launchToken.reveal(), returnUrl),
  };
}

let users = 0;

/** Connects the provider's first account, and reads its posts. */
export async function linkAndRead(
  { social, tenantKey, returnUrl, now, consent }: Target,
  provider: SocialProvider,
  capabilities: readonly Capability[],
): Promise<Linked> {
  users += 1;
  const user = social.forSubject({ tenantKey, externalSubjectId: `recipe-${users}` });
  const session = await user.connect({ provider, capabilities, returnUrl });
  await consent(session);
  const result = await user.connectResult(session.id).wait();
  assert(result.status === "COMPLETED", `${provider}: the attempt ended ${result.status}, ${result.resultCode}`);
  const { connectionId } = result;
  await user.refresh(connectionId).wait();
  const window = { publishedAfter: new Date(now - WINDOW_MS), publishedBefore: new Date(now) };
  await user.refresh(connectionId, { window }).scanAll();
  const posts: ContentItem[] = [];
  for await (const post of user.content(connectionId, window)) posts.push(post);
  assert(posts.length > 0, `${provider} has posts`);
  return { user, connectionId, posts };
}
