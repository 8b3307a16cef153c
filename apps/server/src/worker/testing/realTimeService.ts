import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import type { Pool } from "pg";
import { beforeAll } from "vitest";
import type { Connection } from "../../_generated/prisma/client.ts";
import { createApplication, createRegistrations, type TestApplication } from "../../modules/testing/builders.ts";
import { type ConnectionOptions, createConnection } from "../../modules/testing/connections.ts";
import { startTestService, type TestService, type TestServiceOn } from "../../modules/testing/testService.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
import { type Clock, SystemClock } from "../../platform/time/clock.ts";
import { ProviderBreakers } from "../../providers/breakers.ts";
import { prepareTaskQueues } from "../boss.ts";
import { createTaskQueue } from "../taskQueue.ts";

/**
 * A service on a database that other processes share: the database's own time, the real queue, and an encryption key
 * that can be passed on.
 */
export interface RealTimeService<OwnClock extends Clock = SystemClock> {
  readonly service: TestServiceOn<OwnClock>;
  /** The same on a clock fixed at the start, for builders that need one. */
  readonly base: TestService;
  readonly application: TestApplication;
  readonly registrations: Readonly<Record<SocialProvider, string>>;
  readonly databaseUrl: string;
  /** Base64. */
  readonly secretKey: string;
  connect(options?: ConnectionOptions): Promise<Connection>;
}

export let real: RealTimeService;
export let service: RealTimeService["service"];

/** Starts the service of the tests of a file. */
export function useRealService(): void {
  beforeAll(async () => {
    real = await startRealTimeService();
    ({ service } = real);
    return service.close;
  });
}

export function startRealTimeService(): Promise<RealTimeService> {
  return startServiceOnClock((pool) => new SystemClock(pool));
}

export async function startServiceOnClock<OwnClock extends Clock>(
  clockOn: (pool: Pool) => OwnClock,
): Promise<RealTimeService<OwnClock>> {
  const secretKey = randomBytes(32).toString("base64");
  const base = await startTestService({ secretBox: createSecretBox([{ id: "test", key: new Secret(secretKey) }]) });
  const { pool } = base;
  const clock = clockOn(pool);
  base.clock.set(await clock.now());
  const registrations = await createRegistrations(base);
  const application = await createApplication(base, "shop", { idpIdentityEnabled: true });
  // Twice, as by processes that start at the same time.
  await Promise.all([prepareTaskQueues(pool), prepareTaskQueues(pool)]);
  const breakers = new ProviderBreakers({ clock, logger: base.logger });
  const service = { ...base, clock, queue: createTaskQueue(pool, clock), breakers };
  const databaseUrl = pool.options.connectionString ?? "";
  const connect = (options?: ConnectionOptions) => createConnection(service, application, registrations, options);
  return { service, base, application, registrations, databaseUrl, secretKey, connect };
}
