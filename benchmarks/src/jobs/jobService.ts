import { setTimeout as delay } from "node:timers/promises";
import type { Connection } from "../../../apps/server/src/_generated/prisma/client.ts";
import { sealClientSecret } from "../../../apps/server/src/modules/registrations/clientSecret.ts";
import type { Service } from "../../../apps/server/src/modules/service.ts";
import { addressesAt } from "../../../apps/server/src/modules/testing/builders.ts";
import { createConnection, postsOf } from "../../../apps/server/src/modules/testing/connections.ts";
import { fakeProviders } from "../../../apps/server/src/modules/testing/fakeProvider.ts";
import { SystemClock } from "../../../apps/server/src/platform/clock.ts";
import { openDatabase } from "../../../apps/server/src/platform/database.ts";
import { newId } from "../../../apps/server/src/platform/ids.ts";
import { createLogger } from "../../../apps/server/src/platform/logger.ts";
import { Secret } from "../../../apps/server/src/platform/secret.ts";
import { createSecretBox } from "../../../apps/server/src/platform/secretBox.ts";
import { NO_TELEMETRY } from "../../../apps/server/src/platform/telemetry.ts";
import { ProviderBreakers } from "../../../apps/server/src/providers/breakers.ts";
import { createTaskQueue } from "../../../apps/server/src/worker/taskQueue.ts";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";

/** What the processes of the benchmark share. */
export interface Shared {
  readonly url: string;
  /** Base64. */
  readonly secretKey: string;
  /** How long the provider takes for a call. */
  readonly callMs: number;
  /** Posts of each account. */
  readonly posts: number;
}

export type JobService = Service & { close(): Promise<void> };

/** A service whose provider responds from memory after `callMs`. */
export async function openJobService({ url, secretKey, callMs, posts }: Shared): Promise<JobService> {
  const { pool, prisma, hotReads, close } = openDatabase({ url, poolSize: 10 });
  const clock = new SystemClock(pool);
  const logger = createLogger({ level: "error", role: "benchmark" });
  const fakes = fakeProviders();
  for (const fake of Object.values(fakes)) {
    fake.posts = postsOf(posts, await clock.now());
    fake.before.set("listContent", () => delay(callMs));
  }
  return {
    mode: "sandbox",
    connectHost: "http://127.0.0.1:4400",
    adminHost: "http://127.0.0.1:4400",
    trustedProxies: [],
    previewOriginTemplate: null,
    issuer: null,
    pool,
    prisma,
    reads: { pool, prisma },
    hotReads,
    clock,
    jitter: Math.random,
    secretBox: createSecretBox([{ id: "benchmark", key: new Secret(secretKey) }]),
    logger,
    queue: createTaskQueue(pool, clock),
    provider: (provider) => fakes[provider],
    telemetry: NO_TELEMETRY,
    breakers: new ProviderBreakers({ clock, logger }),
    close,
  };
}

export interface Applications {
  readonly registrationId: string;
  /** Creates a connection of an application, which it creates too if it does not exist. */
  connect(slug: string, options?: { readonly isNew?: boolean }): Promise<Connection>;
}

export async function createApplications(service: Service): Promise<Applications> {
  const now = await service.clock.now();
  const registrationId = newId();
  const times = { createdAt: now, updatedAt: now };
  const addresses = addressesAt("http://127.0.0.1:9");
  const destination = { id: registrationId, provider: "PROVIDER_A", clientId: "client", addresses } as const;
  await service.prisma.providerRegistration.create({
    data: {
      ...destination,
      status: "PUBLISHED",
      clientSecretSealed: sealClientSecret(service.secretBox, destination, "client-secret"),
      scopes: Object.fromEntries(CAPABILITIES.map((capability) => [capability, []])),
      capabilities: [...CAPABILITIES],
      allApplications: true,
      ...times,
    },
  });
  const registrations = Object.fromEntries(
    SOCIAL_PROVIDERS.map((provider) => [provider, registrationId]),
  ) as Parameters<typeof createConnection>[2];
  const ids = new Map<string, string>();
  let accounts = 0;
  return {
    registrationId,
    async connect(slug, { isNew = false } = {}) {
      const id = ids.get(slug) ?? newId();
      if (!ids.has(slug)) {
        ids.set(slug, id);
        const origin = "https://shop.example";
        const policy = { providers: ["PROVIDER_A" as const], capabilities: [...CAPABILITIES], tenantKeys: ["tenant"] };
        const addresses = { webOrigins: [origin], returnUrls: [`${origin}/back`], identityReturnUrls: [] };
        const data = { id, slug, displayName: slug, previewReturnPaths: [], ...addresses, ...policy, ...times };
        await service.prisma.application.create({ data });
      }
      accounts += 1;
      const scope = { tenantKey: "tenant", externalSubjectId: `user-${accounts}` };
      const owner = { id, scope } as unknown as Parameters<typeof createConnection>[1];
      return createConnection(service, owner, registrations, {
        accountId: `account-${accounts}`,
        capabilities: ["CONTENT_LIST"],
        externalSubjectId: scope.externalSubjectId,
        data: { lastSuccessfulSyncAt: isNew ? null : now },
      });
    },
  };
}
