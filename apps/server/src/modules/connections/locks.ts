import type { SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "@social-connect/domain";

/** Held by whatever adds to, or ends, a subject's accounts at a provider: attempts, their completion, disconnects. */
export function subjectLock(applicationId: string, provider: SocialProvider, scope: SubjectScope): readonly string[] {
  return ["subject", applicationId, provider, scope.tenantKey, scope.externalSubjectId];
}

/** Held beside the subject's by completions and disconnects, because accounts of one person hang together across scopes. */
export function providerUserLock(
  applicationId: string,
  provider: SocialProvider,
  providerUserKey: string,
): readonly string[] {
  return ["provider-user", applicationId, provider, providerUserKey];
}
