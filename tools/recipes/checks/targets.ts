/** The mocks and a development environment with the simulator, as an application sees them through the SDK. */
import assert from "node:assert/strict";
import pg from "pg";
import { goThroughConsent } from "../../../examples/demo/src/browser.ts";
import { type AdminReader, createAdmin } from "../../../packages/admin-sdk/src/index.ts";
import { createConsumerMock } from "../../../packages/mocks/src/index.ts";
import {
  type Capability,
  type ContentItem,
  SocialConnect,
  type SocialProvider,
  type Subject,
} from "../../../packages/sdk/src/index.ts";
import { DevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";

const WINDOW_MS = 60 * 24 * 3_600_000;

export interface Target {
  readonly social: SocialConnect;
  readonly admin: AdminReader;
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
    admin: createAdmin({ host: mock.admin.host, key: mock.admin.readKey, scope: "READ", fetch: mock.fetch }),
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
    const { baseUrl, key, tenantKeys, returnUrl } = dev.consumer;
    await check({
      social: new SocialConnect({ baseUrl, key }),
      admin: createAdmin({ host: dev.admin.host, key: dev.admin.readKey, scope: "READ" }),
      tenantKey: String(tenantKeys[0]),
      returnUrl,
      now: Date.now(),
      advance: (byMs) => place.moveClock(byMs),
      jobs: (connectionId) => jobsIn(dev.databaseUrl, connectionId),
      consent: ({ launchUrl, launchToken }) => goThroughConsent(launchUrl, launchToken.reveal(), returnUrl),
    });
  } finally {
    await place.clear();
  }
}

async function jobsIn(databaseUrl: string, connectionId: string): Promise<{ kind: string; status: string }[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT kind, status FROM job WHERE connection_id = $1", [connectionId]);
    return rows;
  } finally {
    await client.end();
  }
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
