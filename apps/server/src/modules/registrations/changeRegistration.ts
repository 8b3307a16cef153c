import type { SocialProvider } from "@social-connect/contract";
import {
  accepted,
  decideCreateRegistration,
  decideSetQuota,
  decideStopRegistration,
  decideUpdateRegistration,
  type EditedRegistration,
  invalidField,
  notFound,
  type QuotaInput,
  type QuotaOverride,
  type RegistrationFacts,
  type RegistrationInput,
  touchedChanges,
} from "@social-connect/domain";
import { Prisma, type ProviderRegistration } from "../../_generated/prisma/client.ts";
import { lockUntilCommit } from "../../platform/database/locks.ts";
import { newId } from "../../platform/ids.ts";
import { asUuid } from "../../platform/uuid.ts";
import { readQuotaOverride } from "../../providers/registration.ts";
import type { AdminActor } from "../admin/actor.ts";
import { adminTransaction } from "../admin/adminTransaction.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service, Transaction } from "../service.ts";
import { isClientSecretUsable, openClientSecret, type SealedRegistration, sealClientSecret } from "./clientSecret.ts";
import { measureStop, measureUnserved, readAddresses, readScopes } from "./registrationParts.ts";

/** Stores a draft; its secret is encrypted and never shown. */
export async function createRegistration(
  service: Service,
  actor: AdminActor,
  provider: SocialProvider,
  input: RegistrationInput,
): Promise<ProviderRegistration> {
  const id = newId();
  return adminTransaction(service, async (transaction, now) => {
    const facts = { ...(await readFacts(service, transaction, input)), provider };
    const { patch, audit } = accepted(decideCreateRegistration(facts, input, id, now));
    const { applicationIds, ...columns } = patch;
    await recordAudit(transaction, actor, now, audit);
    return transaction.providerRegistration.create({
      data: {
        ...columns,
        clientSecretSealed: sealClientSecret(service.secretBox, columns, input.clientSecret ?? ""),
        applications: { create: applicationIds.map((applicationId) => ({ applicationId })) },
      },
    });
  });
}

export async function updateRegistration(
  service: Service,
  actor: AdminActor,
  id: string,
  input: RegistrationInput,
): Promise<ProviderRegistration> {
  return adminTransaction(service, async (transaction, now) => {
    const registration = await lockRegistration(transaction, id);
    const facts = { ...(await readFacts(service, transaction, input)), registration };
    const { patch, audit } = accepted(decideUpdateRegistration(facts, input, now));
    const { applicationIds, ...columns } = patch;
    const stored = accepted(registration ?? notFound("The registration"));
    const secret = input.clientSecret ?? storedSecret(service, stored);
    const clientIds = patch.allApplications ? null : applicationIds;
    const touched = touchedChanges(await measureUnserved(transaction, stored.id, clientIds));
    await recordAudit(transaction, actor, now, { ...audit, changes: [...audit.changes, ...touched] });
    return transaction.providerRegistration.update({
      where: { id: stored.id },
      data: {
        ...columns,
        clientSecretSealed: sealClientSecret(service.secretBox, { ...stored, ...columns }, secret),
        applications: { deleteMany: {}, create: applicationIds.map((applicationId) => ({ applicationId })) },
      },
    });
  });
}

/** Replaces the registration's own quota; null resets it to the provider's default. */
export async function setRegistrationQuota(
  service: Service,
  actor: AdminActor,
  id: string,
  quota: QuotaInput | null,
): Promise<ProviderRegistration> {
  return adminTransaction(service, async (transaction, now) => {
    const registration = await lockRegistration(transaction, id);
    const { patch, audit } = accepted(decideSetQuota(registration, quota));
    await recordAudit(transaction, actor, now, audit);
    return transaction.providerRegistration.update({
      where: { id: audit.target.id },
      data: { quota: patch.quota ?? Prisma.DbNull },
    });
  });
}

/** Starts no new connections; reading an existing one is AUTHORIZATION_SUSPENDED. */
export const pauseRegistration = stopOf("PAUSE");

/** Serves no client; reading a connection of it is CAPABILITY_UNAVAILABLE. */
export const disableRegistration = stopOf("DISABLE");

function stopOf(event: "PAUSE" | "DISABLE") {
  return async (service: Service, actor: AdminActor, id: string): Promise<ProviderRegistration> => {
    return adminTransaction(service, async (transaction, now) => {
      const registration = await lockRegistration(transaction, id);
      const { patch, audit } = accepted(decideStopRegistration(registration, event, now));
      const touched = touchedChanges(await measureStop(transaction, audit.target.id));
      await recordAudit(transaction, actor, now, { ...audit, changes: [...audit.changes, ...touched] });
      return transaction.providerRegistration.update({ where: { id: audit.target.id }, data: patch });
    });
  };
}

/** The registration's row, locked until the transaction ends; null for an unknown id. */
export async function lockRegistration(
  transaction: Transaction,
  id: string,
): Promise<(EditedRegistration & SealedRegistration & { readonly quota: QuotaOverride | null }) | null> {
  const registrationId = asUuid(id);
  if (registrationId === null) return null;
  await lockUntilCommit(transaction, "registration", registrationId);
  const row = await transaction.providerRegistration.findUnique({
    where: { id: registrationId },
    include: { applications: { select: { application: { select: { slug: true } } } } },
  });
  if (row === null) return null;
  const clients = row.allApplications ? null : row.applications.map(({ application }) => application.slug);
  const parts = { addresses: readAddresses(row), scopes: readScopes(row), quota: readQuotaOverride(row.quota) };
  return { ...row, ...parts, clients };
}

async function readFacts(
  { mode }: Service,
  transaction: Transaction,
  { clientIds }: RegistrationInput,
): Promise<RegistrationFacts> {
  const ids = (clientIds ?? []).map(asUuid).filter((id) => id !== null);
  const known = await transaction.application.findMany({
    where: { id: { in: ids } },
    select: { id: true, slug: true },
  });
  return { knownClients: known, mode };
}

/** The secret that an update keeps. */
function storedSecret({ secretBox }: Service, registration: SealedRegistration): string {
  if (isClientSecretUsable(secretBox, registration)) return openClientSecret(secretBox, registration);
  const message = "The registration was changed outside of the service. Check it, and enter the client secret again.";
  return accepted(invalidField("clientSecret", message));
}
