import type { Change } from "../decisions/change.ts";
import { type AccessPatch, decideGrantRevoked } from "../grants/grantRevoked.ts";
import type { GrantFollowUp } from "./followUps.ts";
import { type GrantOfMessage, isConsentSince } from "./providerMessages.ts";
import { accountRevocationKeys } from "./revocationKeys.ts";
import type { ConnectionFacts } from "./siblings.ts";

export interface DeauthorizationFacts {
  readonly connection: ConnectionFacts;
  readonly grant: GrantOfMessage | null;
}

/**
 * The provider reported that the person removed the app, at `removedAt`. A later disconnect
 * has nothing to revoke. A concurrent code exchange may have obtained a grant that has already ended, so a revocation with
 * the id `revocationId` is recorded. `CONSENTED_SINCE` if the grant is of a later consent; `ENDED` if a message has reported
 * the same before, or the grant was erased.
 */
export function decideDeauthorization(
  { connection, grant }: DeauthorizationFacts,
  removedAt: Date,
  revocationId: string,
  now: Date,
): Change<AccessPatch, GrantFollowUp> | "CONSENTED_SINCE" | "ENDED" {
  if (grant === null) return "ENDED";
  if (isConsentSince(grant, removedAt)) return "CONSENTED_SINCE";
  if (grant.status === "GONE" && connection.appRemovedAt !== null) return "ENDED";
  const { applicationId, provider } = connection;
  const keys = accountRevocationKeys(connection);
  const revocation = { id: revocationId, applicationId, provider, keys, endedAt: now };
  const { patch, followUps } = decideGrantRevoked(connection, true, now);
  return { patch, followUps: [{ type: "BEGIN_REVOCATION", revocation }, ...followUps] };
}
