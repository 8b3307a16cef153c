import { connectionsOfOwner, GRANTED_STATUSES, type GrantOwner } from "@social-connect/domain";
import type { Grant, Prisma } from "../../_generated/prisma/client.ts";
import type { SecretBox } from "../../platform/secrets/secretBox.ts";
import type { Transaction } from "../service.ts";

/** Connections whose grant may still work. */
export const WORKING: Prisma.ConnectionWhereInput = { status: { in: [...GRANTED_STATUSES] } };

export function grantOwnerBinding(grantId: string): string {
  return `provider_grant:${grantId}:owner`;
}

/** Seals the owner for storage: the grant of a failed attempt can outlive the erasure of its account by a day. */
export function sealOwner(
  secretBox: SecretBox,
  grantId: string,
  { providerAccountId, providerUserKey }: GrantOwner,
): string {
  return secretBox.seal(JSON.stringify({ providerAccountId, providerUserKey }), grantOwnerBinding(grantId));
}

/** null if the account was never read. Throws SecretBoxError if the value was altered or belongs to another row. */
export function openOwner(secretBox: SecretBox, grant: Pick<Grant, "id" | "ownerSealed">): GrantOwner | null {
  if (grant.ownerSealed === null) return null;
  return JSON.parse(secretBox.open(grant.ownerSealed, grantOwnerBinding(grant.id))) as GrantOwner;
}

/**
 * Whether a working connection of any application on this registration uses the same account or provider user. Revoking
 * the grant could end that connection.
 */
export async function isGrantShared(
  transaction: Transaction,
  registrationId: string,
  owner: GrantOwner,
): Promise<boolean> {
  const where = { ...connectionsOfOwner(registrationId, owner), ...WORKING };
  return (await transaction.connection.count({ where })) > 0;
}
