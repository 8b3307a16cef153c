import type { SocialProvider } from "@social-connect/contract";
import { PATIENCE_MS, type TestClock, testClock, testDatabase } from "@social-connect/testkit";
import { createTelemetry } from "../../observability/telemetry.ts";
import { openDatabase } from "../../platform/database/database.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { ProviderAdapter } from "../../providers/contract.ts";
import { RollupCounts } from "../rollups/rollupCounts.ts";
import type { Service } from "../service.ts";
import { type FakeProvider, fakeProviders } from "./fakeProvider.ts";
import { type EnqueuedTask, queueInto, serviceOn } from "./serviceOn.ts";

/** A service with its own database, a fixed clock, in-memory providers, and a queue that only records tasks. */
export interface TestService extends Service {
  readonly clock: TestClock;
  readonly fakes: Readonly<Record<SocialProvider, FakeProvider>>;
  /** Also contains tasks of transactions that rolled back. Tests that need the difference check the job rows. */
  readonly enqueued: EnqueuedTask[];
  readonly rollups: RollupCounts;
  close(): Promise<void>;
}

/** The same on another clock. */
export type TestServiceOn<OwnClock extends Clock> = Omit<TestService, "clock"> & Service & { readonly clock: OwnClock };

/** Parts that a test passes in place of the usual ones. Its clock is always a `TestClock`. */
type TestParts = Partial<Omit<Service, "clock">>;

export async function startTestService(overrides: TestParts = {}): Promise<TestService> {
  const { url, drop } = await testDatabase();
  // Long, because a slow machine must not fail these tests. Other tests cover the timeouts and replaced sessions.
  const bounds = { connectTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS, sessionLifetimeMs: PATIENCE_MS };
  const database = openDatabase({ url, poolSize: 20, ...bounds });
  const fakes = fakeProviders();
  const enqueued: EnqueuedTask[] = [];
  const clock = testClock();
  const rollups = new RollupCounts();
  // The service's at the time of the line: tests replace its logger.
  const loggers = {
    get logger() {
      return service.logger;
    },
    get requestLogger() {
      return service.logger;
    },
    get erasureLogger() {
      return service.logger;
    },
  };
  const telemetry = createTelemetry(Object.assign(loggers, { logSample: 1, metrics: null, tracing: null, rollups }));
  const plain = serviceOn(database, {
    clock,
    telemetry,
    queue: queueInto(enqueued),
    provider: (provider): ProviderAdapter => fakes[provider],
  });
  const close = async () => {
    await database.close();
    await drop();
  };
  const service: TestService = { ...plain, ...overrides, clock, fakes, enqueued, rollups, close };
  return service;
}
