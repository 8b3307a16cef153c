import type { SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";
import type { GrantOwner } from "./siblings.ts";

/** Identifies a revocation at a provider. Only its hash is stored, because the record outlives the erased account. */
export type RevocationKey = readonly string[];

export interface RevokedAccount extends GrantOwner {
  readonly applicationId: string;
  readonly provider: SocialProvider;
}

/** The account, and the provider's user if known. */
export function accountRevocationKeys(account: RevokedAccount): RevocationKey[] {
  const { applicationId, provider, providerAccountId, providerUserKey } = account;
  const keys = [["account", applicationId, provider, providerAccountId]];
  if (providerUserKey !== null) keys.push(["user", applicationId, provider, providerUserKey]);
  return keys;
}

/**
 * All keys of a connection. A revoke affects every connection that shares a key, which are the connections of `siblingsOf`.
 * Where a revoke ends only its own grant (a trait of the provider), the keys do not include the subject.
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
 * Whether a revocation that shares a key may have ended a grant that was obtained or checked since `since`, a value of the
 * revocation counter: it is in progress, or it ended later. The counter is incremented when a revocation begins and when it
 * ends, so this includes a revocation that did both since then. `generation` is the counter's value at the later of the two.
 */
export function isConcernedByRevocation(
  revocation: { readonly isEnded: boolean; readonly generation: number | bigint },
  since: number | bigint,
): boolean {
  return !revocation.isEnded || revocation.generation > since;
}
