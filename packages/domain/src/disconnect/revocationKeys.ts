import type { SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";

/** What a revocation at a provider is found by. Stored as a hash only: see `isConcernedByRevocation`. */
export type RevocationKey = readonly string[];

export interface RevokedAccount {
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
  readonly providerUserKey: string | null;
}

/** The account, and the provider user behind it where it is known. */
export function accountRevocationKeys(account: RevokedAccount): RevocationKey[] {
  const { applicationId, provider, providerAccountId, providerUserKey } = account;
  const keys = [["account", applicationId, provider, providerAccountId]];
  if (providerUserKey !== null) keys.push(["user", applicationId, provider, providerUserKey]);
  return keys;
}

/**
 * All keys of a connection. A revoke concerns whatever shares one of them with it, as `isSibling` says of connections; where
 * a revoke ends its own grant only (a trait of the provider), the subject's other accounts are not among them.
 */
export function connectionRevocationKeys(
  connection: RevokedAccount & SubjectScope,
  { revokeAffectsSiblings }: { readonly revokeAffectsSiblings: boolean },
): RevocationKey[] {
  const { applicationId, provider, tenantKey, externalSubjectId } = connection;
  const keys = accountRevocationKeys(connection);
  return revokeAffectsSiblings ? [...keys, ["subject", applicationId, provider, tenantKey, externalSubjectId]] : keys;
}

/**
 * Whether a revocation that shares a key may have ended a grant that was obtained, or looked at, since the counter of
 * revocations stood at `since`: it is still under way, or it ended later. The counter is raised when a revocation begins and
 * when it ends, so one that did both in between is noticed. `generation` is the counter's value at the later of the two.
 */
export function isConcernedByRevocation(
  revocation: { readonly isEnded: boolean; readonly generation: number | bigint },
  since: number | bigint,
): boolean {
  return !revocation.isEnded || revocation.generation > since;
}
