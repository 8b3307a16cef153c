import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import { PATIENCE_MS, TestClock, testDatabase } from "@social-connect/testkit";
import { createTelemetry } from "../../observability/telemetry.ts";
import { openDatabase } from "../../platform/database.ts";
import { createLogger } from "../../platform/logger.ts";
import { Secret } from "../../platform/secret.ts";
import { createSecretBox } from "../../platform/secretBox.ts";
import { ProviderBreakers } from "../../providers/breakers.ts";
import type { ProviderAdapter } from "../../providers/contract.ts";
import { RollupCounts } from "../rollups/rollupCounts.ts";
import type { Service, TaskName } from "../service.ts";
import { type FakeProvider, fakeProviders } from "./fakeProvider.ts";

export interface EnqueuedTask {
  readonly task: TaskName;
  readonly payload: { readonly id: string };
  readonly startAfter: Date | null;
}

/** A service with its own database, a fixed clock, in-memory providers, and a queue that only records tasks. */
export interface TestService extends Service {
  readonly clock: TestClock;
  readonly fakes: Readonly<Record<SocialProvider, FakeProvider>>;
  /** Also contains tasks of transactions that rolled back. Tests that need the difference check the job rows. */
  readonly enqueued: EnqueuedTask[];
  /** What its telemetry counted. */
  readonly rollups: RollupCounts;
  close(): Promise<void>;
}

export async function startTestService(overrides: Partial<Service> = {}): Promise<TestService> {
  const database = await testDatabase();
  // Long timeouts, because a slow machine must not fail these tests. Other tests cover the timeouts.
  const bounds = { connectTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS };
  const { pool, prisma, hotReads, close } = openDatabase({ url: database.url, poolSize: 20, ...bounds });
  const fakes = fakeProviders();
  const enqueued: EnqueuedTask[] = [];
  const clock = new TestClock();
  const rollups = new RollupCounts();
  const logger = createLogger({ level: "silent", role: "test" });
  const service: TestService = {
    mode: "sandbox",
    connectHost: "http://127.0.0.1:4400",
    adminHost: "http://127.0.0.1:4400",
    trustedProxies: [],
    previewOriginTemplate: "https://{label}.preview.example.app",
    issuer: null,
    pool,
    prisma,
    hotReads,
    reads: { pool, prisma },
    clock,
    jitter: Math.random,
    secretBox: createSecretBox([{ id: "test", key: new Secret(randomBytes(32).toString("base64")) }]),
    logger,
    telemetry: createTelemetry({
      get logger() {
        return service.logger;
      },
      get requestLogger() {
        return service.logger;
      },
      get erasureLogger() {
        return service.logger;
      },
      logSample: 1,
      metrics: null,
      tracing: null,
      rollups,
    }),
    breakers: new ProviderBreakers({ clock, logger }),
    queue: {
      enqueueAll: async (_transaction, tasks) => {
        for (const { task, id } of tasks) enqueued.push({ task, payload: { id }, startAfter: null });
      },
      enqueue: async (_transaction, task, { id }, options) => {
        enqueued.push({ task, payload: { id }, startAfter: options?.startAfter ?? null });
      },
    },
    provider: (provider): ProviderAdapter => fakes[provider],
    ...overrides,
    fakes,
    enqueued,
    rollups,
    close: async () => {
      await close();
      await database.drop();
    },
  } as TestService;
  return service;
}
