import type { AdminKeyScope, Capability, SocialProvider } from "@social-connect/contract";
import type { DescribedRegistration } from "../registrations/registration.ts";
import { describeRegistration } from "../registrations/registration.ts";
import type { AuditAction } from "./auditActions.ts";

/** What an audit entry says: the action, and one sentence for people. Never a secret. */
export interface AuditText {
  readonly action: AuditAction;
  readonly summary: string;
}

const text = (action: AuditAction, summary: string): AuditText => ({ action, summary });
const onOff = (on: boolean): string => (on ? "on" : "off");

/** The texts of every audited change, for the service and the mocks alike. */
export const AUDITED = {
  apiKeyFirstUsed: (key: { readonly scope: AdminKeyScope; readonly label: string }) =>
    text("API key first used", `The ${key.scope} key "${key.label}" was used for the first time.`),
  apiKeyMinted: (key: { readonly scope: AdminKeyScope; readonly label: string; readonly lifetimeDays: number }) =>
    text("API key minted", `Minted the ${key.scope} key "${key.label}" for ${key.lifetimeDays} days.`),
  apiKeyRevoked: (key: { readonly scope: AdminKeyScope; readonly label: string; readonly createdBy: string }) =>
    text("API key revoked", `Revoked the ${key.scope} key "${key.label}" of ${key.createdBy}.`),
  adminAdded: (email: string) => text("Admin added", `Added ${email} to the admins.`),
  adminRemoved: (email: string, revokedKeys: number) =>
    text("Admin removed", `Removed ${email} from the admins; keys revoked: ${revokedKeys}.`),
  adminFirstSignIn: (email: string) =>
    text(
      "Admin signed in for the first time",
      `${email} signed in for the first time and is this account at the issuer from now on.`,
    ),
  clientCreated: (client: { readonly slug: string; readonly webOrigins: readonly string[] }) =>
    text("Client created", `Created the client ${client.slug} with the origins ${client.webOrigins.join(", ")}.`),
  clientEnabled: (slug: string) => text("Client enabled", `Enabled the client ${slug}.`),
  clientDisabled: (slug: string, endedAttempts: number) =>
    text("Client disabled", `Disabled the client ${slug}; unfinished attempts ended: ${endedAttempts}.`),
  displayNameChanged: (from: string, to: string) =>
    text("Display name changed", `Changed the display name from "${from}" to "${to}".`),
  policyChanged: (providers: readonly SocialProvider[], capabilities: readonly Capability[]) =>
    text(
      "Policy changed",
      `Allowed ${providers.join(", ") || "no provider"} with ${capabilities.join(", ") || "no capability"}.`,
    ),
  tenantKeyAdded: (tenantKey: string) => text("Tenant key added", `Added the tenant ${tenantKey}.`),
  tenantKeyRemoved: (tenantKey: string) => text("Tenant key removed", `Removed the tenant ${tenantKey}.`),
  originAdded: (origin: string) => text("Origin added", `Added the origin ${origin}.`),
  originRemoved: (origin: string) => text("Origin removed", `Removed the origin ${origin}.`),
  returnUrlAdded: (url: string) => text("Return URL added", `Added the return URL ${url}.`),
  returnUrlRemoved: (url: string) => text("Return URL removed", `Removed the return URL ${url}.`),
  previewOriginsSwitched: (on: boolean) =>
    text(on ? "Preview origins switched on" : "Preview origins switched off", `Switched preview origins ${onOff(on)}.`),
  previewReturnPathAdded: (path: string) => text("Preview return path added", `Added the preview return path ${path}.`),
  previewReturnPathRemoved: (path: string) =>
    text("Preview return path removed", `Removed the preview return path ${path}.`),
  identityChanged: (on: boolean, returnUrls: readonly string[]) =>
    text(
      "Identity sign-in changed",
      `Switched the identity sign-in ${onOff(on)}; return URLs: ${returnUrls.join(", ") || "none"}.`,
    ),
  applicationKeyIssued: (keyId: string, days: number | null) =>
    text("Application key issued", `Issued the application key ${keyId}${days === null ? "" : ` for ${days} days`}.`),
  applicationKeyRevoked: (keyId: string) => text("Application key revoked", `Revoked the application key ${keyId}.`),
  testerAdded: (provider: SocialProvider) => text("Tester added", `Added a tester account at ${provider}.`),
  testerRemoved: (provider: SocialProvider) => text("Tester removed", `Removed a tester account at ${provider}.`),
  registrationCreated: (registration: DescribedRegistration) =>
    text("Registration created", `Created ${describeRegistration(registration)}.`),
  registrationPublished: (registration: DescribedRegistration) =>
    text("Registration published", `Published ${describeRegistration(registration)}.`),
  registrationPaused: (registration: DescribedRegistration) =>
    text("Registration paused", `Paused ${describeRegistration(registration)}.`),
  registrationDisabled: (registration: DescribedRegistration) =>
    text("Registration disabled", `Disabled ${describeRegistration(registration)}.`),
} as const satisfies Record<string, (...facts: never[]) => AuditText>;
