import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import {
  type AppError,
  bySlug,
  ProviderCheckError,
  providerSlug,
  type RegistrationInput,
} from "@social-connect/domain";
import {
  createCatalogue,
  giveConsent,
  type RunningSimulator,
  simulatorRegistration,
  startSimulator,
} from "@social-connect/simulator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { providerAdapter } from "../../providers/registry/registry.ts";
import type { SessionActor } from "../admin/actor.ts";
import { addClientTester } from "../clients/testers.ts";
import { completeConnect } from "../connect/completeConnect.ts";
import { redeemLaunchToken } from "../connect/redeemLaunchToken.ts";
import { createAdminMember, sessionOf } from "../testing/admins.ts";
import { createApplication, ORIGIN } from "../testing/builders.ts";
import { startConnect } from "../testing/calls.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import {
  createRegistration,
  disableRegistration,
  pauseRegistration,
  updateRegistration,
} from "./changeRegistration.ts";
import { probeAddresses } from "./probeAddresses.ts";
import { publishRegistration } from "./publishRegistration.ts";
import { readProviderAvailability, readReadiness } from "./readRegistrations.ts";

const CONNECT_HOST = "http://127.0.0.1:9";
const CLIENT = { clientId: "sim-client", clientSecret: "sim-secret" };
let service: TestService;
let simulator: RunningSimulator;
let actor: SessionActor;

beforeAll(async () => {
  service = await startTestService({ provider: providerAdapter, connectHost: CONNECT_HOST });
  actor = sessionOf(service, await createAdminMember(service));
  const clients = bySlug((slug) => [{ ...CLIENT, redirectUris: [`${CONNECT_HOST}/api/connect/callback/${slug}`] }]);
  const clock = { now: () => service.clock.current };
  simulator = await startSimulator({ port: 0, issuerPort: 0, clients, issuerClients: [], clock });
});
afterAll(async () => {
  await simulator.close();
  await service.close();
});

function inputFor(provider: SocialProvider, changes: Partial<RegistrationInput> = {}): RegistrationInput {
  const client = { ...CLIENT, redirectUris: [] };
  const { addresses, scopes } = simulatorRegistration(simulator.providerUrls, providerSlug(provider), client);
  return {
    ...CLIENT,
    addresses,
    scopes: CAPABILITIES.map((capability) => ({ capability, scopes: scopes[capability] })),
    capabilities: ["PROFILE", "CONTENT_LIST"],
    clientIds: null,
    ...changes,
  };
}

function create(provider: SocialProvider, changes: Partial<RegistrationInput> = {}) {
  return createRegistration(service, actor, provider, inputFor(provider, changes));
}

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "done",
    (error: AppError & { field?: string }) => error.field ?? error.code,
  );
}

test.each(SOCIAL_PROVIDERS)(
  "a registration at %s goes from draft to published, paused and disabled",
  async (provider) => {
    const { caller } = await createApplication(service, `served-${providerSlug(provider)}`);
    const available = async () => {
      const { providers } = await readReadiness(service, caller);
      const [mine] = (await readProviderAvailability(service)).filter((entry) => entry.provider === provider);
      return [providers.find((entry) => entry.provider === provider)?.available, mine?.reason];
    };
    expect(await available()).toEqual([false, "NO_REGISTRATION"]);
    const { id } = await create(provider);
    expect(await available()).toEqual([false, "REGISTRATION_DRAFT"]);
    await publishRegistration(service, actor, id);
    expect(await available()).toEqual([true, null]);
    expect(await refusalOf(updateRegistration(service, actor, id, inputFor(provider)))).toBe("CONFLICT");
    expect(await refusalOf(publishRegistration(service, actor, id))).toBe("CONFLICT");
    await pauseRegistration(service, actor, id);
    expect(await available()).toEqual([false, "REGISTRATION_PAUSED"]);
    await updateRegistration(service, actor, id, inputFor(provider, { clientSecret: null }));
    // A sweep plans the reads that are late.
    expect(await publishRegistration(service, actor, id)).toMatchObject({ catchUpSince: service.clock.current });
    await disableRegistration(service, actor, id);
    expect(await available()).toEqual([false, "REGISTRATION_DISABLED"]);
    const entries = await service.prisma.auditEntry.findMany({ where: { targetId: id } });
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      "Registration changed",
      "Registration created",
      "Registration disabled",
      "Registration paused",
      "Registration published",
      "Registration published",
    ]);
  },
);

test.each(SOCIAL_PROVIDERS)(
  "each URL of %s that is not the provider's is reported before publication",
  async (provider) => {
    const { addresses } = inputFor(provider);
    const elsewhere = `${simulator.simulatorUrl}/nowhere`;
    for (const name of Object.keys(addresses) as (keyof typeof addresses)[]) {
      for (const wrong of [elsewhere, "http://127.0.0.1:9/dead"]) {
        const { id } = await create(provider, { addresses: { ...addresses, [name]: wrong } });
        const refused = await publishRegistration(service, actor, id).catch((error: unknown) => error);
        expect(refused, `${name} at ${wrong}`).toBeInstanceOf(ProviderCheckError);
        const { problems } = refused as ProviderCheckError;
        expect(problems.map(({ address }) => address)).toContain(name);
        const stored = await service.prisma.providerRegistration.findUnique({ where: { id } });
        expect(stored).toMatchObject({ status: "DRAFT" });
      }
    }
  },
);

test.each(["PROVIDER_A", "PROVIDER_B"] as const)("detects a wrong client secret at %s", async (provider) => {
  const registration = await create(provider, { clientSecret: "another secret" });
  const problems = await probeAddresses(service, registration, service.clock.current);
  expect(problems.map(({ address }) => address)).toContain("token");
  expect(JSON.stringify(problems)).not.toContain("another secret");
});

test("the client secret is encrypted and never shown", async () => {
  const { id } = await create("PROVIDER_A", { clientSecret: "hush-hush" });
  const { rows } = await service.pool.query(
    "SELECT r::text FROM provider_registration r UNION ALL SELECT e::text FROM audit_entry e",
  );
  expect(JSON.stringify(rows)).toContain(id);
  expect(JSON.stringify(rows)).not.toContain("hush-hush");
});

test("a registration may serve some clients and no other", async () => {
  const served = await createApplication(service, "some-served");
  const other = await createApplication(service, "some-other");
  const { id } = await create("PROVIDER_B", { clientIds: [served.id] });
  await publishRegistration(service, actor, id);
  const isAvailable = async ({ caller }: typeof served) =>
    (await readReadiness(service, caller)).providers.find(({ provider }) => provider === "PROVIDER_B")?.available;
  expect([await isAvailable(served), await isAvailable(other)]).toEqual([true, false]);
  await disableRegistration(service, actor, id);
});

test.each(SOCIAL_PROVIDERS)("a registration is sufficient to connect an account at %s", async (provider) => {
  const { id } = await create(provider);
  await publishRegistration(service, actor, id);
  const application = await createApplication(service, `connects-${providerSlug(provider)}`);
  const [account] = createCatalogue().all(providerSlug(provider));
  const tester = { provider, providerAccountId: account?.accountId ?? "" };
  await addClientTester(service, actor, application.id, tester);
  const session = await startConnect(service, application, { provider, capabilities: ["PROFILE", "CONTENT_LIST"] });
  const launched = await redeemLaunchToken(service, { launchToken: session.launchToken.reveal(), origin: ORIGIN });
  if (launched.outcome !== "redirect") throw new Error(launched.outcome);
  const back = await giveConsent(launched.location, { account: account?.name ?? "" });
  const browserSecretOf = () => launched.browserSecret.reveal();
  const ended = await completeConnect(service, { provider, query: back.searchParams, browserSecretOf });
  expect(ended).toMatchObject({ outcome: "ended", attempt: { status: "COMPLETED", resultCode: null } });
  await disableRegistration(service, actor, id);
});

describe("a URL that moves to another origin", () => {
  const moved = (name: string, url: string, clientSecret: string | null) => {
    const { addresses, ...input } = inputFor("PROVIDER_A", { clientSecret });
    return { ...input, addresses: { ...addresses, [name]: url } };
  };

  test.each([
    ["authorization", "https://elsewhere.example/authorize"],
    ["token", "https://elsewhere.example/token"],
    ["revocation", "https://elsewhere.example/revoke"],
    ["api", "https://elsewhere.example/api"],
    ["issuer", "https://elsewhere.example"],
  ])("requires the client secret again, and the audit entry names both origins: %s", async (name, url) => {
    const { id } = await create("PROVIDER_A");
    const stored = () => service.prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
    const before = await stored();
    expect(await refusalOf(updateRegistration(service, actor, id, moved(name, url, null)))).toBe("clientSecret");
    expect(await stored()).toEqual(before);
    await updateRegistration(service, actor, id, moved(name, url, "typed-again"));
    expect((await stored()).addresses).toMatchObject({ [name]: url });
    const where = { targetId: id, action: "Registration changed" };
    const [entry, ...more] = await service.prisma.auditEntry.findMany({ where });
    expect(more).toEqual([]);
    const from = new URL(
      String(before.addresses && Reflect.get(before.addresses as object, name === "issuer" ? "authorization" : name)),
    ).origin;
    expect(entry?.summary).toContain(`${name} moved from ${from} to https://elsewhere.example`);
    expect(entry?.summary).not.toContain("typed-again");
  });

  test("does not apply when only its path changes", async () => {
    const input = inputFor("PROVIDER_A", { clientSecret: null });
    const { id } = await create("PROVIDER_A");
    const updated = updateRegistration(service, actor, id, moved("token", `${input.addresses.token}/v2`, null));
    expect(await refusalOf(updated)).toBe("done");
  });
});

const ADDRESSES = { authorization: "https://a.example", token: "https://a.example", api: "https://a.example" };
test.each([
  ["addresses.token", { addresses: { ...ADDRESSES, token: "ftp://a" } }],
  ["addresses.token", { addresses: { ...ADDRESSES, token: "http://a.example" } }],
  ["addresses.api", { addresses: { ...ADDRESSES, api: "https://a.example/?key=1" } }],
  ["addresses.revocation", { addresses: ADDRESSES }],
  ["clientIds", { clientIds: ["1a2b3c4d-0000-4000-8000-00000000dead"] }],
  ["clientIds", { clientIds: ["not an id"] }],
  ["clientSecret", { clientSecret: null }],
] as const)("a registration is rejected at %s when it has %j", async (field, wrong) => {
  expect(await refusalOf(create("PROVIDER_A", wrong as Partial<RegistrationInput>))).toBe(field);
});

test("a live deployment rejects plain http, even on loopback", async () => {
  const live = { ...service, mode: "live" } as const;
  const created = createRegistration(live, actor, "PROVIDER_A", inputFor("PROVIDER_A"));
  expect(await refusalOf(created)).toBe("addresses.authorization");
});
