import type { SocialProvider } from "@social-connect/contract";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { securityLog } from "../../platform/log/securityLog.ts";
import { SecretBoxError } from "../../platform/secrets/secretBox.ts";
import { providerAdapter } from "../../providers/registry/registry.ts";
import type { SessionActor } from "../admin/actor.ts";
import { completeConnect } from "../connect/completeConnect.ts";
import { redeemLaunchToken } from "../connect/redeemLaunchToken.ts";
import { receiveDeauthorization } from "../disconnect/receiveDeauthorization.ts";
import { revokePendingGrant } from "../grants/revokeGrant.ts";
import { findGrantOfConnection } from "../grants/store.ts";
import { withProviderSession } from "../grants/withProviderSession.ts";
import { readIncidents } from "../rollups/readIncidents.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import {
  addressesAt,
  createApplication,
  createRegistrations,
  moveRegistration,
  ORIGIN,
  type TestApplication,
} from "../testing/builders.ts";
import { startConnect } from "../testing/calls.ts";
import { createConnection } from "../testing/connections.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import { updateRegistration } from "./changeRegistration.ts";
import { isClientSecretUsable, openClientSecret } from "./clientSecret.ts";
import { publishRegistration } from "./publishRegistration.ts";

let service: TestService;
let thief: LocalServer;
let application: TestApplication;
let actor: SessionActor;
let ids: Record<SocialProvider, string>;
const stolen: string[] = [];

beforeAll(async () => {
  service = await startTestService({ provider: providerAdapter });
  application = await createApplication(service);
  actor = sessionOf(service, await createAdminMember(service));
  thief = await serve((request, response) => {
    stolen.push(request.url ?? "");
    response.writeHead(400).end();
  });
});
afterAll(async () => {
  await thief.close();
  await service.close();
});
beforeEach(async () => {
  await service.pool.query("TRUNCATE provider_registration CASCADE");
  ids = await createRegistrations(service);
  stolen.length = 0;
});

const rowOf = (id: string) => service.prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
/** What someone who can write to the table does. */
const redirectRow = (id: string) =>
  service.pool.query("UPDATE provider_registration SET addresses = $1 WHERE id = $2", [addressesAt(thief.url), id]);

async function linked(provider: SocialProvider) {
  const tokens = { accessTokenExpiresAt: service.clock.fromNow(-60_000) };
  return createConnection(service, application, ids, { provider, accountId: `account-of-${ids[provider]}`, tokens });
}

async function launch(provider: SocialProvider) {
  const scope = { ...application.scope, externalSubjectId: ids[provider] };
  const { launchToken } = await startConnect(service, application, { provider, scope });
  return () => redeemLaunchToken(service, { launchToken: launchToken.reveal(), origin: ORIGIN, step: "REDIRECT" });
}

/** Each prepares a use of the registration, which runs after its row was changed. */
const USES: Readonly<Record<string, (provider: SocialProvider) => Promise<() => Promise<unknown>>>> = {
  "redirects no browser": launch,
  "shows no consent pane": async (provider) => {
    const { launchToken } = await startConnect(service, application, { provider });
    return () => redeemLaunchToken(service, { launchToken: launchToken.reveal(), origin: ORIGIN, step: "SHOW_PANE" });
  },
  "exchanges no code": async (provider) => {
    const launched = await (await launch(provider))();
    if (launched.outcome !== "redirect") expect.fail("no redirect");
    const query = new URLSearchParams({ code: "code", state: launched.location.searchParams.get("state") ?? "" });
    return () => completeConnect(service, { provider, query, browserSecretOf: () => launched.browserSecret.reveal() });
  },
  "renews no token and reads nothing": async (provider) => {
    const connection = await linked(provider);
    return () => withProviderSession(service, connection, (session) => service.provider(provider).readAccount(session));
  },
  "revokes no grant": async (provider) => {
    const grant = await findGrantOfConnection(service.prisma, await linked(provider));
    return () => revokePendingGrant(service, provider, grant ?? expect.fail("no grant"));
  },
};

const EACH_USE = (["PROVIDER_A", "PROVIDER_B"] as const).flatMap((provider) =>
  Object.entries(USES).map(([use, prepare]) => ({ use, provider, prepare })),
);
test.each(EACH_USE)(
  "a registration of $provider whose addresses were changed in the table $use, with an incident",
  async ({ provider, prepare }) => {
    const before = securityLog(service).counts().get("registration.refused") ?? 0;
    const use = await prepare(provider);
    await redirectRow(ids[provider]);
    const refusal = await use().catch((error: unknown) => error);
    // An attempt ends, so that its user can start again.
    const ended = { outcome: "ended", attempt: { status: "FAILED", resultCode: "EXCHANGE_FAILED" } };
    if (!(refusal instanceof SecretBoxError)) expect(refusal).toMatchObject(ended);
    expect(stolen).toEqual([]);
    expect(securityLog(service).counts().get("registration.refused")).toBe(before + 1);
    expect(await readIncidents(service)).toMatchObject([
      { cause: "REGISTRATION_REFUSED", provider, registrationId: ids[provider], endedAt: null },
    ]);
  },
);

test("the service itself may change the addresses, and then they are called", async () => {
  const connection = await linked("PROVIDER_A");
  await moveRegistration(service, ids.PROVIDER_A, { addresses: addressesAt(thief.url) });
  await withProviderSession(service, connection, async () => "read").catch(() => undefined);
  expect(stolen).toContain("/token");
  expect(await readIncidents(service)).toEqual([]);
});

test.each([
  ["authorization", `addresses = jsonb_set(addresses, '{authorization}', '"https://thief.example/a"')`],
  ["token", `addresses = jsonb_set(addresses, '{token}', '"https://thief.example/t"')`],
  ["a path of the token", `addresses = jsonb_set(addresses, '{token}', to_jsonb(addresses->>'token' || '/x'))`],
  ["API", `addresses = jsonb_set(addresses, '{api}', '"https://thief.example"')`],
  ["added revocation", `addresses = addresses || '{"revocation": "https://thief.example/r"}'`],
  ["added issuer", `addresses = addresses || '{"issuer": "https://thief.example"}'`],
  ["client id", "client_id = 'thief'"],
  ["provider", "provider = 'PROVIDER_B'"],
  [
    "secret of another row",
    "client_secret_sealed = (SELECT client_secret_sealed FROM provider_registration WHERE id <> $1 LIMIT 1)",
  ],
])("a changed %s makes the secret unusable", async (_, assignment) => {
  const id = ids.PROVIDER_A;
  await service.pool.query(`UPDATE provider_registration SET ${assignment} WHERE id = $1`, [id]);
  expect(isClientSecretUsable(service.secretBox, await rowOf(id))).toBe(false);
});

test("changes that lead nowhere else keep the secret usable", async () => {
  const id = ids.PROVIDER_A;
  const swapped = "(SELECT jsonb_object_agg(key, value ORDER BY key DESC) FROM jsonb_each(addresses))";
  await service.pool.query(
    `UPDATE provider_registration SET status = 'PAUSED', quota = '{"units": 5}', addresses = ${swapped} WHERE id = $1`,
    [id],
  );
  expect(openClientSecret(service.secretBox, await rowOf(id))).toBe("client-secret");
});

test("a changed registration is neither published nor updated until its client secret is entered again", async () => {
  const id = ids.PROVIDER_A;
  await service.prisma.providerRegistration.update({ where: { id }, data: { status: "PAUSED" } });
  await redirectRow(id);
  await expect(publishRegistration(service, actor, id)).rejects.toMatchObject({ code: "CONFLICT" });
  const input = (clientSecret: string | null) => ({
    clientId: "client",
    clientSecret,
    addresses: addressesAt(thief.url),
    scopes: [{ capability: "PROFILE" as const, scopes: ["profile"] }],
    capabilities: ["PROFILE" as const],
    clientIds: null,
  });
  await expect(updateRegistration(service, actor, id, input(null))).rejects.toMatchObject({
    code: "BAD_USER_INPUT",
    field: "clientSecret",
  });
  expect(stolen).toEqual([]);
  await updateRegistration(service, actor, id, input("again"));
  expect(openClientSecret(service.secretBox, await rowOf(id))).toBe("again");
  // An update without a secret keeps the stored one.
  await updateRegistration(service, actor, id, { ...input(null), clientId: "renamed" });
  expect(openClientSecret(service.secretBox, await rowOf(id))).toBe("again");
});

test("a callback that no secret fits is not refused as forged while a secret cannot be read", async () => {
  const provider = "PROVIDER_C";
  expect(await receiveDeauthorization(service, provider, "a.b")).toMatchObject({ result: "refused" });
  await redirectRow(ids[provider]);
  await expect(receiveDeauthorization(service, provider, "a.b")).rejects.toThrow(SecretBoxError);
});
