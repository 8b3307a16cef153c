import type { Capability, SocialProvider } from "@social-connect/contract";
import { type Refusal, refuse } from "../decisions/refusal.ts";
import type { ApplicationOrigins } from "../urls/origin.ts";
import { checkReturnUrl, type ReturnUrlRules } from "../urls/returnUrl.ts";
import type { SubjectScope } from "./scope.ts";

export interface ApplicationPolicy {
  readonly enabled: boolean;
  readonly tenantKeys: readonly string[];
  readonly providers: readonly SocialProvider[];
  readonly capabilities: readonly Capability[];
}

export interface ApplicationReturnUrls extends ApplicationOrigins {
  readonly returnUrls: readonly string[];
  readonly previewReturnPaths: readonly string[];
}

export interface ConnectInput {
  readonly scope: SubjectScope;
  readonly provider: SocialProvider;
  readonly capabilities: readonly Capability[];
  readonly returnUrl: string;
  readonly reconnectConnectionId?: string | null;
}

/**
 * FORBIDDEN unless the application is enabled and its policy allows the tenant, the provider and every capability.
 * Source: service description, parts 2 (ConnectInput), 3 (rule 1) and 5 (rule 8).
 */
export function checkPolicy(
  application: ApplicationPolicy,
  wanted: {
    readonly tenantKey: string;
    readonly provider: SocialProvider;
    readonly capabilities: readonly Capability[];
  },
): Refusal | null {
  if (!application.enabled) return refuse("FORBIDDEN", "The application is disabled.");
  if (!application.tenantKeys.includes(wanted.tenantKey))
    return checkTenant(application, wanted.tenantKey, "FORBIDDEN");
  if (!application.providers.includes(wanted.provider)) {
    return refuse("FORBIDDEN", "The application's policy does not allow this provider.");
  }
  if (!wanted.capabilities.every((capability) => application.capabilities.includes(capability))) {
    return refuse("FORBIDDEN", "The application's policy does not allow one of these capabilities.");
  }
  return null;
}

/**
 * An unregistered tenant. `createConnectSession`, `createIdpIdentitySession`, `connectSessionResult` and `connections`
 * answer FORBIDDEN. Every operation that names a connection, job or identity session answers NOT_FOUND: none
 * can exist there.
 *
 * A CONNECTED connection whose tenant was removed later is another case: reading it fails the re-check of part 3, rule 1,
 * with FORBIDDEN. So an operation that re-checks loads by scope first and leaves the tenant to `recheckConnection`.
 */
export function checkTenant(
  application: Pick<ApplicationPolicy, "tenantKeys">,
  tenantKey: string,
  code: "FORBIDDEN" | "NOT_FOUND",
): Refusal | null {
  return application.tenantKeys.includes(tenantKey) ? null : UNREGISTERED_TENANT[code];
}

export const UNREGISTERED_TENANT = {
  FORBIDDEN: refuse("FORBIDDEN", "The tenant is not registered for the application."),
  NOT_FOUND: refuse("NOT_FOUND", "Not found: the tenant is not registered for the application."),
} as const;

/** Adds to the refusal of an unregistered tenant what to do. Any other refusal stays. */
export function explainTenant<Refused>(
  refused: Refused,
  mode: "sandbox" | "live",
  remedyInSandbox: string,
): Refused | Refusal {
  const refusal = Object.values(UNREGISTERED_TENANT).find((one) => one === refused);
  if (refusal === undefined) return refused;
  return { ...refusal, message: `${refusal.message} ${mode === "live" ? TENANT_REMEDY : remedyInSandbox}` };
}

const TENANT_REMEDY =
  "Add it in the admin panel, or under `tenantKeys` of a declaration for `social-connect-admin apply`.";

/**
 * The rules of ConnectInput that need the application: what its policy allows (FORBIDDEN), then a registered return URL
 * (BAD_USER_INPUT). The reconnect target is checked by `checkReconnectTarget`. Source: service description, part 2, ConnectInput.
 */
export function checkConnectInput(
  input: ConnectInput,
  application: ApplicationPolicy & ApplicationReturnUrls,
  previewTemplate: string | null,
): Refusal | null {
  return (
    checkPolicy(application, { ...input, tenantKey: input.scope.tenantKey }) ??
    checkReturnUrl(input.returnUrl, connectReturnUrls(application, previewTemplate))
  );
}

/** Whether Connect may still redirect to an attempt's return URL, which can be removed while the attempt is pending. */
export function mayReturnTo(
  returnUrl: string,
  application: ApplicationReturnUrls,
  previewTemplate: string | null,
): boolean {
  return checkReturnUrl(returnUrl, connectReturnUrls(application, previewTemplate)) === null;
}

function connectReturnUrls(application: ApplicationReturnUrls, previewTemplate: string | null): ReturnUrlRules {
  return {
    registered: application.returnUrls,
    preview: {
      template: previewTemplate,
      enabled: application.previewOriginsEnabled,
      paths: application.previewReturnPaths,
    },
  };
}

/** The same for an attempt at the identity handoff, to which previews do not apply. */
export function mayReturnFromIdentityTo(
  returnUrl: string,
  application: { readonly identityReturnUrls: readonly string[] },
): boolean {
  return checkReturnUrl(returnUrl, { registered: application.identityReturnUrls }) === null;
}

/**
 * The rules of IdpIdentityInput: a tenant of the application (FORBIDDEN) and a registered identity return URL
 * (BAD_USER_INPUT); previews do not apply. CAPABILITY_UNAVAILABLE when the handoff is not switched on for the application,
 * or the deployment has no issuer. Source: service description, parts 2 and 4, createIdpIdentitySession.
 */
export function checkIdpIdentityInput(
  input: { readonly tenantKey: string; readonly returnUrl: string },
  application: Pick<ApplicationPolicy, "enabled" | "tenantKeys"> & {
    readonly identityReturnUrls: readonly string[];
    readonly idpIdentityEnabled: boolean;
  },
  issuerConfigured: boolean,
): Refusal | null {
  if (!application.enabled) return refuse("FORBIDDEN", "The application is disabled.");
  const tenant = checkTenant(application, input.tenantKey, "FORBIDDEN");
  if (tenant !== null) return tenant;
  if (!application.idpIdentityEnabled || !issuerConfigured) {
    return refuse("CAPABILITY_UNAVAILABLE", "Identity sign-in is not available to this application.");
  }
  return checkReturnUrl(input.returnUrl, { registered: application.identityReturnUrls });
}
