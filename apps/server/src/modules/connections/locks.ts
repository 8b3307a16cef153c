import type { SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";

/** Taken by whatever adds or ends a subject's accounts at a provider: attempts, their completion, disconnects. */
export function subjectLock(applicationId: string, provider: SocialProvider, scope: SubjectScope): readonly string[] {
  return ["subject", applicationId, provider, scope.tenantKey, scope.externalSubjectId];
}

/** The account that a completion or a disconnect is about. */
export interface LockedAccount {
  readonly applicationId: string;
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
  readonly providerUserKey: string | null;
}

/**
 * Taken by completions and by disconnects: one for each way in which two connections can be siblings (see `isSibling`), so
 * that of two that concern each other the second sees what the first has done.
 */
export function siblingLocks(account: LockedAccount, scope: SubjectScope): (readonly string[])[] {
  return [subjectLock(account.applicationId, account.provider, scope), ...accountLocks(account)];
}

/** The same for a revocation that belongs to no subject's connection. */
export function accountLocks(account: LockedAccount): (readonly string[])[] {
  const { applicationId, provider, providerAccountId, providerUserKey } = account;
  const locks: (readonly string[])[] = [["provider-account", applicationId, provider, providerAccountId]];
  if (providerUserKey !== null) locks.push(["provider-user", applicationId, provider, providerUserKey]);
  return locks;
}
