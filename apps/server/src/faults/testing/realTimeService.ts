import { randomBytes } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import type { Service } from "../../modules/service.ts";
import type { TestApplication } from "../../modules/testing/builders.ts";
import { createApplication, createRegistrations } from "../../modules/testing/builders.ts";
import type { TestService } from "../../modules/testing/testService.ts";
import { startTestService } from "../../modules/testing/testService.ts";
import { SystemClock } from "../../platform/clock.ts";
import { Secret } from "../../platform/secret.ts";
import { createSecretBox } from "../../platform/secretBox.ts";
import { prepareTaskQueues } from "../../worker/boss.ts";
import { createTaskQueue } from "../../worker/taskQueue.ts";

/**
 * A service on a database that other processes share: the database's own time, the real queue, and an encryption key
 * that can be passed on.
 */
export interface RealTimeService {
  readonly service: Omit<TestService, "clock"> & Service;
  /** The same on a clock fixed at the start, for builders that need one. */
  readonly base: TestService;
  readonly application: TestApplication;
  readonly registrations: Readonly<Record<SocialProvider, string>>;
  readonly databaseUrl: string;
  /** Base64. */
  readonly secretKey: string;
}

export async function startRealTimeService(): Promise<RealTimeService> {
  const secretKey = randomBytes(32).toString("base64");
  const base = await startTestService({ secretBox: createSecretBox([{ id: "test", key: new Secret(secretKey) }]) });
  const clock = new SystemClock(base.pool);
  base.clock.set(await clock.now());
  const registrations = await createRegistrations(base);
  const application = await createApplication(base);
  await base.prisma.application.update({ where: { id: application.id }, data: { idpIdentityEnabled: true } });
  await prepareTaskQueues(base.pool);
  const service = { ...base, clock, queue: createTaskQueue(base.pool, clock) };
  return {
    service,
    base,
    application,
    registrations,
    databaseUrl: base.pool.options.connectionString ?? "",
    secretKey,
  };
}
