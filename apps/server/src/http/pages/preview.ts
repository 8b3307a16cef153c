import { CAPABILITIES, LIMITS, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { addMs, type Branding, brandingProblem, PROVIDER_TRAITS } from "@social-connect/domain";
import type { Context } from "hono";
import type { PageBrand } from "../../modules/browser/readPageBrand.ts";
import type { Service } from "../../modules/service.ts";
import { DEFAULT_LOCALE, localeOf } from "../languages/locale.ts";
import { answerConsentPane } from "./consentPane.ts";
import { answerError } from "./errorPage.ts";

/** A frame of the panel contains the page, with the logo in base64 of 16 KiB. */
export const MAX_PREVIEW_BYTES = 65_536;

/**
 * A page for end users as the panel shows it before an admin saves a branding: rendered from the values in the form. It reads
 * and changes nothing, and its buttons do nothing.
 */
export function answerPreview(
  context: Context,
  { connectHost }: Pick<Service, "connectHost">,
  field: (name: string) => string | null,
): Promise<Response> {
  const acceptedOf = (key: keyof Branding) => {
    const value = field(key) ?? "";
    return value !== "" && brandingProblem(key, value) === null ? value : null;
  };
  const brand: PageBrand = {
    displayName: field("displayName") ?? "",
    logo: acceptedOf("logo"),
    brandColor: acceptedOf("brandColor"),
    supportAddress: acceptedOf("supportAddress"),
    privacyUrl: acceptedOf("privacyUrl"),
    home: connectHost,
  };
  const locale = localeOf(field("language") ?? "") ?? DEFAULT_LOCALE;
  const page = { locale, serviceHost: new URL(connectHost).host, brand, isPreview: true };
  if (field("page") === "expired") return answerError(context, "expired", page);
  const now = new Date(0);
  const provider = SOCIAL_PROVIDERS.find((one) => one === field("provider")) ?? "PROVIDER_A";
  const pane = {
    provider,
    offersOtherAccount: PROVIDER_TRAITS[provider].accountChoice === "on-request",
    providerHost: "accounts.example.com",
    isPlainHttp: false,
    capabilities: CAPABILITIES,
    expiresAt: addMs(now, LIMITS.connectDeadlineMs),
    now,
  };
  const action = { path: "", field: "attempt", attemptId: "", leaveField: "leave", otherField: "otherAccount" };
  return answerConsentPane(context, { ...page, pane, action });
}
