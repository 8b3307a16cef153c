import { createHmac } from "node:crypto";
import type { SocialProvider } from "@social-connect/contract";
import { connectionsOfUser, DELETION_REQUEST_MAX_AGE_MS, messageTimeProblem } from "@social-connect/domain";
import { newId } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import type { DeauthorizedAccount, RegistrationAccess } from "../../providers/contract.ts";
import { type MessageOutcome, refused } from "../disconnect/endGrants.ts";
import { type Fitting, fittingRegistrations } from "../disconnect/fittingRegistrations.ts";
import type { Service } from "../service.ts";
import { advanceDeletion } from "./advanceDeletion.ts";
import { type ConnectionKey, isKept, unfinishedOf } from "./deletionProgress.ts";

/** `code` is the confirmation code for the status page; null if the request was refused. */
export interface DataDeletionOutcome extends MessageOutcome {
  readonly code: string | null;
}

/**
 * Handles a provider's signed request to delete the data of a user: disconnects and erases each connection of the user in
 * every registration whose secret signed it, in all applications. The request is stored first, so that a connection which
 * cannot be disconnected now is disconnected by the sweep. A connection whose consent was given since the request stays. A
 * repeated request gets the code of the first, and adds the connections that did not exist then: two requests of one second are
 * the same one.
 *
 * @throws SecretBoxError if no secret fits, and the secret of a registration cannot be read
 */
export async function receiveDataDeletion(
  service: Service,
  provider: SocialProvider,
  signedRequest: string,
): Promise<DataDeletionOutcome> {
  const adapter = service.provider(provider);
  const now = await service.clock.now();
  const verify = (access: RegistrationAccess) => adapter.verifyDataDeletion?.(access, signedRequest) ?? null;
  const fitting = await fittingRegistrations(service, provider, verify, now);
  const [first] = fitting;
  if (first === undefined) return { ...refused("signature"), code: null };
  const { issuedAt } = first.message;
  const timeProblem = messageTimeProblem(issuedAt, DELETION_REQUEST_MAX_AGE_MS, now);
  if (issuedAt === null || timeProblem !== null) return { ...refused(timeProblem ?? "untimed"), code: null };
  const code = confirmationCode(first, issuedAt);
  const codeHash = sha256(code);
  const { concerned, kept } = await connectionsOf(service, fitting, issuedAt);
  const isKnown = (await service.prisma.dataDeletion.count({ where: { codeHash } })) > 0;
  if (!isKnown && concerned.length === 0 && kept > 0) return { ...refused("old"), code: null };
  const finishedAt = concerned.length === 0 ? now : null;
  const row = { id: newId(), codeHash, provider, unfinished: concerned, requestedAt: now, finishedAt };
  const { count } = await service.prisma.dataDeletion.createMany({ data: [row], skipDuplicates: true });
  const id = count > 0 ? row.id : await addConnections(service, codeHash, concerned);
  if (id === null) return { result: "ignored", problem: "repeated", code };
  await advanceDeletion(service, id);
  return { result: "accepted", problem: null, code };
}

/** Adds what a stored request does not name yet, and returns its id; null if it names all. */
async function addConnections(
  service: Service,
  codeHash: Uint8Array<ArrayBuffer>,
  concerned: readonly ConnectionKey[],
) {
  return service.prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT 1 FROM data_deletion WHERE code_hash = ${codeHash} FOR UPDATE`;
    const stored = await transaction.dataDeletion.findUnique({ where: { codeHash } });
    const unfinished = stored === null ? [] : unfinishedOf(stored);
    const added = concerned.filter(({ id }) => unfinished.every((one) => one.id !== id));
    if (stored === null || added.length === 0) return null;
    const data = { unfinished: [...unfinished, ...added], finishedAt: null };
    await transaction.dataDeletion.update({ where: { codeHash }, data });
    return stored.id;
  });
}

/** Cannot be computed without the client secret, and the same for a repeated request. */
function confirmationCode({ access, message }: Fitting<DeauthorizedAccount>, issuedAt: Date): string {
  const request = JSON.stringify(["data deletion", message.providerUserId, issuedAt.toISOString()]);
  return createHmac("sha256", access.clientSecret).update(request).digest("hex").slice(0, CODE_LENGTH);
}

const CODE_LENGTH = 32;

async function connectionsOf(service: Service, fitting: readonly Fitting<DeauthorizedAccount>[], issuedAt: Date) {
  const concerned: ConnectionKey[] = [];
  let kept = 0;
  for (const { id: registrationId, message } of fitting) {
    const where = connectionsOfUser(registrationId, message.providerUserId);
    const found = await service.prisma.connection.findMany({ where, include: { grant: true }, orderBy: { id: "asc" } });
    for (const connection of found) {
      const { id, applicationId } = connection;
      if (isKept(connection, issuedAt)) kept += 1;
      else concerned.push({ id, applicationId });
    }
  }
  return { concerned, kept };
}
