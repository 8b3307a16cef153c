import { type Branding, mayReturnFromIdentityTo, mayReturnTo } from "@social-connect/domain";
import type { Service } from "../service.ts";
import type { AttemptKind, AttemptOfPage } from "./launch.ts";

/** The application that a page of the service belongs to. */
export interface PageBrand extends Branding {
  readonly displayName: string;
  /** The start page of the application: the link back when the return URL does not apply. */
  readonly home: string;
}

/** Null when the application was deleted. The home page is on a registered origin, or on the preview that the visitor came from. */
export async function readPageBrand(
  { prisma, previewOriginTemplate }: Service,
  kind: AttemptKind,
  { applicationId, returnUrl }: Pick<AttemptOfPage, "applicationId" | "returnUrl">,
): Promise<PageBrand | null> {
  const application = await prisma.application.findUnique({ where: { id: applicationId } });
  if (application === null) return null;
  const isAllowed =
    kind === "connect"
      ? mayReturnTo(returnUrl, application, previewOriginTemplate)
      : mayReturnFromIdentityTo(returnUrl, application);
  const [registered] = application.webOrigins;
  const origin = isAllowed || registered === undefined ? new URL(returnUrl).origin : registered;
  const { displayName, logo, brandColor, supportAddress, privacyUrl } = application;
  return { displayName, logo, brandColor, supportAddress, privacyUrl, home: `${origin}/` };
}
