import type { Capability, SocialProvider } from "@social-connect/contract";
import type { ApplicationPolicy, ApplicationReturnUrls } from "./policy.ts";

/** The registration that a new attempt would use, where there is one: published, and serving the application. */
export interface AttemptRegistration {
  readonly capabilities: readonly Capability[];
}

/**
 * True when a Connect attempt could start now: the policy allows the provider, a tenant and a capability that the
 * registration serves, and there is a return URL to name. A preview path counts where the application has previews
 * switched on and the deployment has a template for them. Source: service description, part 2, IntegrationReadiness.
 */
export function canStartConnect(
  application: ApplicationPolicy & ApplicationReturnUrls,
  provider: SocialProvider,
  registration: AttemptRegistration | null,
  previewTemplate: string | null,
): boolean {
  const returnsToPreview = previewTemplate !== null && application.previewOriginsEnabled;
  const paths = returnsToPreview ? application.previewReturnPaths : [];
  const served = registration?.capabilities ?? [];
  return (
    application.enabled &&
    application.tenantKeys.length > 0 &&
    application.providers.includes(provider) &&
    application.returnUrls.length + paths.length > 0 &&
    served.some((capability) => application.capabilities.includes(capability))
  );
}

/** True when the identity handoff could start now. Previews do not apply to it. Source: part 2, IntegrationReadiness. */
export function canStartIdentity(
  application: Pick<ApplicationPolicy, "enabled" | "tenantKeys"> & {
    readonly identityReturnUrls: readonly string[];
    readonly idpIdentityEnabled: boolean;
  },
  issuerConfigured: boolean,
): boolean {
  return (
    issuerConfigured &&
    application.enabled &&
    application.idpIdentityEnabled &&
    application.tenantKeys.length > 0 &&
    application.identityReturnUrls.length > 0
  );
}
