import type { Change } from "../decisions/change.ts";
import type { AccessPatch } from "../grants/grantRevoked.ts";
import { decideGrantRevoked } from "../grants/grantRevoked.ts";
import { addMs } from "../time/time.ts";
import type { GrantFollowUp } from "./followUps.ts";
import { accountRevocationKeys } from "./revocationKeys.ts";
import type { ConnectionFacts } from "./siblings.ts";

/** Providers report a removal in whole seconds, by their own clock. */
const REMOVAL_TOLERANCE_MS = 5_000;

export interface DeauthorizationFacts {
  readonly connection: ConnectionFacts;
  /** `updatedAt` is the time of its consent or renewal. */
  readonly grant: { readonly updatedAt: Date } | null;
}

/**
 * The provider reported that the person removed the app, at `removedAt` if the message contains the time. A later disconnect
 * has nothing to revoke. A concurrent code exchange may have obtained a grant that has already ended, so a revocation with
 * the id `revocationId` is recorded. `null` if the grant is of a later consent: the message can arrive late.
 */
export function decideDeauthorization(
  { connection, grant }: DeauthorizationFacts,
  removedAt: Date | null,
  revocationId: string,
  now: Date,
): Change<AccessPatch, GrantFollowUp> | null {
  const latestRemovedGrant = removedAt === null ? now : addMs(removedAt, REMOVAL_TOLERANCE_MS);
  if (grant === null || grant.updatedAt > latestRemovedGrant) return null;
  const { applicationId, provider } = connection;
  const keys = accountRevocationKeys(connection);
  const revocation = { id: revocationId, applicationId, provider, keys, endedAt: now };
  const { patch, followUps } = decideGrantRevoked(connection, true, now);
  return { patch, followUps: [{ type: "BEGIN_REVOCATION", revocation }, ...followUps] };
}
