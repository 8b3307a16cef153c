import { MOST_RECENT_ATTEMPTS } from "@social-connect/domain";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Secret } from "../../platform/secrets/secret.ts";
import { createApplication, createRegistrations } from "../testing/builders.ts";
import { startConnect, startIdentity } from "../testing/calls.ts";
import { createConnectAttempt, createIdentityAttempt } from "../testing/rows.ts";
import { startTestService, type TestService } from "../testing/testService.ts";

const MINUTE = 60_000;
type Table = "connect_attempt" | "identity_attempt";

let service: TestService;

beforeAll(async () => {
  const issuer = { url: "https://id.example.test", clientId: "service", clientSecret: new Secret("secret") };
  service = await startTestService({ issuer });
});
afterAll(() => service.close());

/** Copies an attempt with other subjects, ids and hashes, until the application has as many as it may. */
async function fill(table: Table, id: string, status: string): Promise<void> {
  await service.pool.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object(
         'id', gen_random_uuid(), 'status', $2::text, 'external_subject_id', 'subject-' || number,
         'launch_token_hash', '\\x' || md5('launch' || id || number), 'state_hash', '\\x' || md5('state' || id || number)))).*
       FROM ${table} original, generate_series(3, ${MOST_RECENT_ATTEMPTS}) number WHERE id = $1`,
    [id, status],
  );
}

test("an application that started too many attempts to connect waits until the oldest reaches its deadline", async () => {
  const [application, other] = [await createApplication(service, "many"), await createApplication(service, "few")];
  const { id } = await createConnectAttempt(service, application, await createRegistrations(service));
  service.clock.advance(4 * MINUTE);
  await expect(startConnect(service, application)).resolves.toBeDefined();
  // Canceled by the application itself: the limit of a subject does not count these.
  await fill("connect_attempt", id, "CANCELED");
  const refusal = { code: "RATE_LIMITED", retryAfterSeconds: 360 };
  const next = { scope: { ...application.scope, externalSubjectId: "next" } };
  await expect(startConnect(service, application, next)).rejects.toMatchObject(refusal);
  await expect(startConnect(service, other)).resolves.toBeDefined();
  await service.pool.query(
    "UPDATE connect_attempt SET status = 'COMPLETED' WHERE status = 'CANCELED' AND external_subject_id > 'subject-5'",
  );
  await expect(startConnect(service, application, next)).resolves.toBeDefined();
  await service.pool.query("UPDATE connect_attempt SET status = 'FAILED' WHERE status = 'COMPLETED'");
  await expect(startConnect(service, application, next)).rejects.toMatchObject(refusal);
  service.clock.advance(6 * MINUTE);
  await expect(startConnect(service, application, next)).resolves.toBeDefined();
});

test("attempts at the identity handoff have the same limit, also if they ended", async () => {
  const application = await createApplication(service, "handoff", { idpIdentityEnabled: true });
  const { id } = await createIdentityAttempt(service, application);
  await expect(startIdentity(service, application)).resolves.toBeDefined();
  await fill("identity_attempt", id, "DENIED");
  const refusal = { code: "RATE_LIMITED", retryAfterSeconds: 600 };
  await expect(startIdentity(service, application)).rejects.toMatchObject(refusal);
  service.clock.advance(10 * MINUTE);
  await expect(startIdentity(service, application)).resolves.toBeDefined();
});
