import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
import { identityResultBinding } from "../identity/identityAttempt.ts";
import { redeemIdentityResult } from "../identity/redeemIdentityResult.ts";
import { DELETE_REDEEMED_RESULTS } from "../retention/purge.ts";
import type { Service } from "../service.ts";
import { createApplication, createRegistrations, type TestApplication } from "../testing/builders.ts";
import { startConnect, startIdentity } from "../testing/calls.ts";
import { dumpDatabase, encodingsOf } from "../testing/databaseDump.ts";
import { service, useService } from "../testing/fixtures.ts";
import { runToEnd } from "../testing/runToEnd.ts";

useService();

let application: TestApplication;

beforeAll(async () => {
  await createRegistrations(service);
  application = await createApplication(service, "shop", { idpIdentityEnabled: true });
});

/** The application, with calls that have this idempotency key. */
function keyed(of: TestApplication, idempotencyKey = newId()): TestApplication {
  return { ...of, caller: { ...of.caller, idempotencyKey } };
}

/** The service with an identity provider, which no test calls. */
function withIssuer() {
  return { ...service, issuer: { url: "https://id.example", clientId: "service", clientSecret: new Secret("secret") } };
}

const textOf = ({ launchToken, ...rest }: Awaited<ReturnType<typeof startConnect>>) =>
  JSON.stringify([launchToken.reveal(), rest]);

test("a repeated create returns the same row and secrets, of which the database has only hashes", async () => {
  const caller = keyed(application);
  const attempt = await startConnect(service, caller);
  expect(textOf(await startConnect(service, caller))).toBe(textOf(attempt));
  const session = await startIdentity(withIssuer(), caller);
  const again = await startIdentity(withIssuer(), caller);
  expect(again).toMatchObject({ id: session.id, expiresAt: session.expiresAt });
  expect(again.resultProof.reveal()).toBe(session.resultProof.reveal());
  const secrets = [attempt.launchToken, session.launchToken, session.resultProof].map((secret) => secret.reveal());
  expect(new Set(secrets)).toHaveLength(3);
  const dump = (await dumpDatabase(service.pool)).join("\n");
  expect(dump).toContain(attempt.id);
  for (const hidden of [...secrets, caller.caller.idempotencyKey ?? ""]) {
    for (const encoded of encodingsOf(hidden)) expect(dump).not.toContain(encoded);
  }
});

test("the row depends on the application, the input, the key and the service's encryption key", async () => {
  const caller = keyed(application);
  const first = await startConnect(service, caller);
  const other = await createApplication(service, "same-urls");
  const sameScope = { scope: application.scope };
  const box = createSecretBox([{ id: "other", key: new Secret(randomBytes(32).toString("base64")) }]);
  const elsewhere: Service = { ...service, secretBox: box };
  const different = await Promise.all([
    startConnect(service, keyed(other, caller.caller.idempotencyKey), sameScope),
    startConnect(service, caller, { capabilities: ["CONTENT_LIST"] }),
    startConnect(service, keyed(application)),
    startConnect(elsewhere, caller),
  ]);
  const all = [first, ...different];
  expect(new Set(all.map(({ id }) => id))).toHaveLength(all.length);
  expect(new Set(all.map(({ launchToken }) => launchToken.reveal()))).toHaveLength(all.length);
});

test("the result of a redeem with a key stays encrypted for a minute, and is deleted without a key", async () => {
  const signedIn = async (caller: TestApplication) => {
    const { id, resultProof } = await startIdentity(withIssuer(), caller);
    const user = { issuer: "https://id.example", idpSub: "ada" };
    const resultSealed = service.secretBox.seal(JSON.stringify(user), identityResultBinding(id));
    await service.prisma.identityAttempt.updateMany({ where: { id }, data: { status: "COMPLETED", resultSealed } });
    const input = { id, tenantKey: caller.tenantKey, resultProof: resultProof.reveal() };
    const stored = async () => (await service.prisma.identityAttempt.findFirstOrThrow({ where: { id } })).resultSealed;
    return { stored, redeem: () => redeemIdentityResult(service, caller.caller, input) };
  };
  const once = await signedIn(application);
  expect(await once.redeem()).toMatchObject({ status: "COMPLETED", idpSub: "ada" });
  expect(await once.stored()).toBeNull();
  await expect(once.redeem()).rejects.toMatchObject({ code: "NOT_FOUND" });

  const repeated = await signedIn(keyed(application));
  const first = await repeated.redeem();
  service.clock.advance(59_000);
  await runToEnd(service, [DELETE_REDEEMED_RESULTS]);
  expect(await repeated.redeem()).toEqual(first);
  expect(await repeated.stored()).not.toContain("ada");
  service.clock.advance(1_000);
  // Reads do not depend on the sweep.
  await expect(repeated.redeem()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await repeated.stored()).not.toBeNull();
  expect(await runToEnd(service, [DELETE_REDEEMED_RESULTS])).toEqual({ deleteRedeemedResults: 1 });
  expect(await repeated.stored()).toBeNull();
});
