import { CAPABILITIES, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import type { Prisma } from "../../_generated/prisma/client.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import type { ProviderAddresses, ProviderScopes } from "../../providers/registration.ts";
import { authenticate } from "../applications/checkKey.ts";
import { openClientSecret, sealClientSecret } from "../registrations/clientSecret.ts";
import type { TestService } from "./testService.ts";

export const ORIGIN = "https://shop.example";
export const RETURN_URL = "https://shop.example/connected?from=test";

export const IDENTITY_RETURN_URL = "https://shop.example/signed-in";

export type TestApplication = Awaited<ReturnType<typeof createApplication>>;

/** An application with all permissions, a key, and testers for the fakes' first accounts. */
export async function createApplication(
  service: TestService,
  slug = "shop",
  data: Partial<Prisma.ApplicationCreateInput> = {},
) {
  const now = service.clock.current;
  const id = newId();
  // CI repeats a test that failed, beside the rows of its first run.
  await service.prisma.application.updateMany({ where: { slug }, data: { slug: id } });
  await service.prisma.application.create({
    data: {
      id,
      slug,
      displayName: slug,
      webOrigins: [ORIGIN],
      returnUrls: [RETURN_URL],
      identityReturnUrls: [IDENTITY_RETURN_URL],
      providers: [...SOCIAL_PROVIDERS],
      capabilities: [...CAPABILITIES],
      tenantKeys: ["tenant-1", "tenant-2"],
      previewReturnPaths: [],
      createdAt: now,
      updatedAt: now,
      testers: {
        create: SOCIAL_PROVIDERS.flatMap((provider) =>
          ["1", "2", "3"].map((suffix) => ({
            provider,
            providerAccountId: `${provider.toLowerCase()}-account-${suffix}`,
          })),
        ),
      },
      ...data,
    },
  });
  const key = await issueKey(service, id);
  const caller = await authenticate(service, [`Bearer ${key}`]);
  return { id, tenantKey: "tenant-1", scope: { tenantKey: "tenant-1", externalSubjectId: "user-1" }, key, caller };
}

export async function issueKey(service: TestService, applicationId: string): Promise<string> {
  const id = newId();
  const secret = newSecretHex();
  const createdAt = service.clock.current;
  await service.prisma.applicationKey.create({ data: { id, applicationId, secretHash: sha256(secret), createdAt } });
  return `${id}.${secret}`;
}

export function addressesAt(base: string) {
  return {
    authorization: `${base}/authorize`,
    token: `${base}/token`,
    api: `${base}/api`,
    revocation: `${base}/revoke`,
  };
}

/** A published registration of each provider for every application. */
export async function createRegistrations(service: TestService): Promise<Record<SocialProvider, string>> {
  const ids = {} as Record<SocialProvider, string>;
  for (const provider of SOCIAL_PROVIDERS) ids[provider] = await createPublished(service, provider);
  return ids;
}

/** A published registration for every application. */
export async function createPublished(
  { clock, prisma, secretBox }: TestService,
  provider: SocialProvider,
  clientId = "client",
  clientSecret = "client-secret",
): Promise<string> {
  const now = clock.current;
  const address = `http://127.0.0.1:9/${provider.toLowerCase()}`;
  const addresses = { authorization: `${address}/authorize`, token: `${address}/token`, api: `${address}/api` };
  const destination = { id: newId(), provider, clientId, addresses };
  await prisma.providerRegistration.create({
    data: {
      ...destination,
      status: "PUBLISHED",
      clientSecretSealed: sealClientSecret(secretBox, destination, clientSecret),
      scopes: Object.fromEntries(CAPABILITIES.map((capability) => [capability, [capability.toLowerCase()]])),
      capabilities: [...CAPABILITIES],
      allApplications: true,
      createdAt: now,
      updatedAt: now,
    },
  });
  return destination.id;
}

/** Changes a registration's addresses as the service does; its secret, too, if one is given. */
export async function moveRegistration(
  service: Pick<TestService, "prisma" | "secretBox">,
  id: string,
  columns: { addresses: ProviderAddresses; clientId?: string; scopes?: ProviderScopes },
  secret?: string,
): Promise<void> {
  const stored = await service.prisma.providerRegistration.findUniqueOrThrow({ where: { id } });
  const kept = secret ?? openClientSecret(service.secretBox, stored);
  const clientSecretSealed = sealClientSecret(service.secretBox, { ...stored, ...columns }, kept);
  await service.prisma.providerRegistration.update({ where: { id }, data: { ...columns, clientSecretSealed } });
}
