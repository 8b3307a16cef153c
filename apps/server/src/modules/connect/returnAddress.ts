import type { SocialProvider } from "@social-connect/contract";
import { isUnfinished, mayReturnFromIdentityTo, mayReturnTo, returnUrlWithResult } from "@social-connect/domain";
import type { AttemptKind, AttemptOfPage } from "../browser/launch.ts";
import type { Service } from "../service.ts";

export interface Ended {
  readonly id: string;
  readonly applicationId: string;
  readonly returnUrl: string;
  readonly status: string;
  readonly resultCode?: string | null;
  /** Set for a connect attempt whose user returns from the provider. */
  readonly provider?: SocialProvider;
}

/** Builds the return URL at redirect time; null if the application no longer allows it. */
export async function returnAddress(service: Service, kind: AttemptKind, ended: Ended): Promise<string | null> {
  const { applicationId, returnUrl } = ended;
  const application = await service.prisma.application.findUnique({ where: { id: applicationId } });
  if (application === null) return null;
  const isAllowed =
    kind === "connect"
      ? mayReturnTo(returnUrl, application, service.previewOriginTemplate)
      : mayReturnFromIdentityTo(returnUrl, application);
  return isAllowed ? returnUrlWithResult(returnUrl, ended) : null;
}

/** The return URL with the result of a connect attempt that has ended; null before its end. */
export async function addressOfEnded(service: Service, { attemptId, applicationId }: AttemptOfPage) {
  const attempt = await service.prisma.connectAttempt.findFirst({ where: { id: attemptId, applicationId } });
  return attempt === null || isUnfinished(attempt.status) ? null : returnAddress(service, "connect", attempt);
}
