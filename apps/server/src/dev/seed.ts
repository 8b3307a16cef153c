import { CAPABILITIES, LIMITS, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { keyExpiry, providerSlug } from "@social-connect/domain";
import { createCatalogue, simulatorRegistration } from "@social-connect/simulator";
import { sealClientSecret } from "../modules/registrations/clientSecret.ts";
import type { Transaction } from "../modules/service.ts";
import type { Database } from "../platform/database/database.ts";
import { newId } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets/hash.ts";
import type { SecretBox } from "../platform/secrets/secretBox.ts";
import type { DevAddresses } from "./addresses.ts";
import type { DevSecrets } from "./devSecrets.ts";
import type { EnteredOrigins } from "./enteredOrigins.ts";
import { ADMIN_EMAIL, DEMO_APPLICATION, OTHER_APPLICATION, PROVIDER_CLIENT_ID } from "./seedData.ts";

export interface SeedInput {
  readonly addresses: DevAddresses;
  /** What the last start on this data entered; absent for new data. */
  readonly entered?: EnteredOrigins | null;
  readonly secrets: DevSecrets;
  readonly secretBox: SecretBox;
  readonly now: Date;
  /** The name of the first application; absent: the stored name, the example's in new data. */
  readonly applicationName?: string;
}

type ApplicationData = typeof DEMO_APPLICATION | typeof OTHER_APPLICATION;

/**
 * Two applications with their keys, a registration at each provider, testers, and an admin with two keys. Idempotent:
 * existing rows keep manual changes. Only the URLs that the last start entered follow the ports of this start.
 */
export async function seed({ prisma }: Database, input: SeedInput): Promise<void> {
  const { secrets, applicationName } = input;
  await prisma.$transaction(async (transaction) => {
    await seedApplication(transaction, input, DEMO_APPLICATION, "example", secrets.applicationKey);
    await seedApplication(transaction, input, OTHER_APPLICATION, "otherApplication", secrets.otherApplicationKey);
    if (applicationName !== undefined) {
      const { slug } = DEMO_APPLICATION;
      await transaction.application.update({ where: { slug }, data: { displayName: applicationName } });
    }
    for (const provider of SOCIAL_PROVIDERS) await seedRegistration(transaction, input, provider);
    await seedAdmin(transaction, input);
  });
}

async function seedApplication(
  transaction: Transaction,
  { addresses, entered, now }: SeedInput,
  data: ApplicationData,
  origin: keyof EnteredOrigins,
  key: DevSecrets["applicationKey"],
): Promise<void> {
  const current = urlsOf(data, addresses[origin]);
  const existing = await transaction.application.findUnique({ where: { slug: data.slug } });
  const urls =
    existing === null ? current : movedUrls(existing, entered ? urlsOf(data, entered[origin]) : null, current);
  const { id } = await transaction.application.upsert({
    where: { slug: data.slug },
    update: { ...urls, updatedAt: now },
    create: {
      ...urls,
      updatedAt: now,
      id: newId(),
      slug: data.slug,
      displayName: data.displayName,
      tenantKeys: [...data.tenantKeys],
      providers: [...SOCIAL_PROVIDERS],
      capabilities: [...CAPABILITIES],
      idpIdentityEnabled: true,
      createdAt: now,
    },
  });
  await transaction.applicationKey.upsert({
    where: { id: key.keyId },
    update: {},
    create: { id: key.keyId, applicationId: id, secretHash: sha256(key.secret), createdAt: now },
  });
  await transaction.tester.createMany({ data: testersOf(id), skipDuplicates: true });
}

interface ClientUrls {
  readonly webOrigins: string[];
  readonly returnUrls: string[];
  readonly identityReturnUrls: string[];
}

function urlsOf(data: ApplicationData, origin: string): ClientUrls {
  return {
    webOrigins: [origin],
    returnUrls: [origin + data.returnPath],
    identityReturnUrls: [origin + data.identityReturnPath],
  };
}

/**
 * The stored URLs with the example's at their current port. Everything else is an integrator's and stays, also the absence
 * of an example's URL that was removed. `entered`: the example's URLs of the last start, null when they are unknown.
 */
function movedUrls(stored: ClientUrls, entered: ClientUrls | null, current: ClientUrls): ClientUrls {
  const moved = (list: keyof ClientUrls) => {
    if (entered !== null && entered[list][0] === current[list][0]) return stored[list];
    const others = stored[list].filter((url) => !current[list].includes(url) && !entered?.[list].includes(url));
    return [...current[list], ...others];
  };
  const [returnUrls, identityReturnUrls] = [moved("returnUrls"), moved("identityReturnUrls")];
  // An integrator's return URL may use the origin that the example had.
  const used = [...returnUrls, ...identityReturnUrls].map((url) => new URL(url).origin);
  const kept = stored.webOrigins.filter((origin) => used.includes(origin));
  return { webOrigins: [...new Set([...moved("webOrigins"), ...kept])], returnUrls, identityReturnUrls };
}

/**
 * An admin who has not signed in yet, with a key of either scope. Keys have the maximum lifetime; in older data they
 * are recreated, because `dev.json` must contain valid ones.
 */
async function seedAdmin(transaction: Transaction, { secrets, now }: SeedInput): Promise<void> {
  const { id: memberId } = await transaction.adminMember.upsert({
    where: { email: ADMIN_EMAIL },
    update: {},
    create: { id: newId(), email: ADMIN_EMAIL, addedAt: now, addedBy: "System" },
  });
  for (const [scope, { keyId, secret }] of [
    ["READ", secrets.readKey],
    ["WRITE", secrets.writeKey],
  ] as const) {
    await transaction.adminApiKey.deleteMany({ where: { id: keyId, expiresAt: { lte: now } } });
    const expiresAt = keyExpiry(now, LIMITS.adminKeyLifetimeDays.sandbox);
    const label = `dev ${scope.toLowerCase()}`;
    const secretHash = sha256(secret);
    await transaction.adminApiKey.upsert({
      where: { id: keyId },
      update: {},
      create: { id: keyId, memberId, createdBy: ADMIN_EMAIL, label, scope, secretHash, createdAt: now, expiresAt },
    });
  }
}

/** Every simulated account except accounts that must be refused. */
function testersOf(applicationId: string) {
  const catalogue = createCatalogue();
  return SOCIAL_PROVIDERS.flatMap((provider) =>
    catalogue
      .all(simulatorKey(provider))
      .filter((account) => account.tester)
      .map(({ accountId }) => ({ applicationId, provider, providerAccountId: accountId })),
  );
}

async function seedRegistration(
  transaction: Transaction,
  { addresses, secrets, secretBox, now }: SeedInput,
  provider: SocialProvider,
): Promise<void> {
  const client = { clientId: PROVIDER_CLIENT_ID, clientSecret: secrets.providerClientSecret, redirectUris: [] };
  const at = simulatorRegistration(addresses.providers, simulatorKey(provider), client);
  const existing = await transaction.providerRegistration.findFirst({ where: { provider, clientId: at.clientId } });
  const id = existing?.id ?? newId();
  const destination = { id, provider, clientId: at.clientId, addresses: at.addresses };
  const current = {
    addresses: at.addresses,
    scopes: at.scopes,
    clientSecretSealed: sealClientSecret(secretBox, destination, at.clientSecret),
    updatedAt: now,
  };
  await transaction.providerRegistration.upsert({
    where: { id },
    update: current,
    create: {
      ...current,
      id,
      provider,
      status: "PUBLISHED",
      clientId: at.clientId,
      capabilities: [...CAPABILITIES],
      allApplications: true,
      createdAt: now,
    },
  });
}

function simulatorKey(provider: SocialProvider) {
  return providerSlug(provider) as Parameters<typeof simulatorRegistration>[1];
}
