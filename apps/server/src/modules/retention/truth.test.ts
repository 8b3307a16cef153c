import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { application, connect, service } from "../testing/applicationOfFile.ts";
import { disconnect } from "../testing/calls.ts";
import { createPost } from "../testing/rows.ts";
import { runToEnd } from "../testing/runToEnd.ts";
import { runErase } from "../testing/tasks.ts";
import { PURGE_SWEEPS } from "./purge.ts";
import { retentionReport } from "./retentionReport.ts";
import { isErased } from "./verifyErasure.ts";

const DAY_MS = 86_400_000;

test("verifies an erasure only when just the receipts remain", async () => {
  const connection = await connect({ provider: "PROVIDER_C" });
  await createPost(service, connection);
  expect(await isErased(service.pool, connection.id)).toBe(false);
  const { eraseJobId } = await disconnect(service, application, connection);
  expect(await isErased(service.pool, connection.id)).toBe(false);
  await runErase(service, eraseJobId);
  expect(await isErased(service.pool, connection.id)).toBe(true);
  const receipt = await service.prisma.job.findFirstOrThrow({ where: { id: eraseJobId } });
  expect(receipt.deletedCounts).toMatchObject({ connection: 1, content_item: 1, provider_grant: 1 });
});

test("detects data left in any table", async () => {
  const id = newId();
  expect(await isErased(service.pool, id)).toBe(true);
  await service.pool.query("CREATE SCHEMA elsewhere");
  await service.pool.query("CREATE TABLE elsewhere.payload (data jsonb)");
  await service.pool.query("INSERT INTO elsewhere.payload VALUES (jsonb_build_object('of', $1::text))", [id]);
  expect(await isErased(service.pool, id)).toBe(false);
});

test("reports the age of the oldest observation, which the purge keeps under 30 days", async () => {
  expect(await retentionReport(service.pool, service.clock.current)).toEqual({ oldestObservationAgeSeconds: null });
  const connection = await connect({ externalSubjectId: "aging" });
  await createPost(service, connection);
  service.clock.advance(31 * DAY_MS);
  await createPost(service, connection);
  service.clock.advance(DAY_MS);
  expect((await retentionReport(service.pool, service.clock.current)).oldestObservationAgeSeconds).toBe(32 * 86_400);
  await runToEnd(service, PURGE_SWEEPS);
  expect((await retentionReport(service.pool, service.clock.current)).oldestObservationAgeSeconds).toBe(86_400);
});
