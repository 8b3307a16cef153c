import type { AdminKeyScope } from "@social-connect/contract";
import type { AuditAction } from "../audit/auditActions.ts";
import type { AuditText } from "../audit/auditRecord.ts";
import type { DescribedRegistration } from "./registration.ts";
import { describeRegistration } from "./registration.ts";

const text = (action: AuditAction, summary: string): AuditText => ({ action, summary });

/** What the audit says of a panel session. */
export function sessionSummary(
  action: "Admin signed in" | "Admin confirmed" | "Admin signed out",
  email: string,
): string {
  const verb = {
    "Admin signed in": "signed in to the panel",
    "Admin confirmed": "confirmed who they are",
    "Admin signed out": "signed out of the panel",
  };
  return `${email} ${verb[action]}.`;
}

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
  registrationCreated: (registration: DescribedRegistration) =>
    text("Registration created", `Created ${describeRegistration(registration)}.`),
  registrationPublished: (registration: DescribedRegistration) =>
    text("Registration published", `Published ${describeRegistration(registration)}.`),
  registrationPaused: (registration: DescribedRegistration) =>
    text("Registration paused", `Paused ${describeRegistration(registration)}.`),
  registrationDisabled: (registration: DescribedRegistration) =>
    text("Registration disabled", `Disabled ${describeRegistration(registration)}.`),
} as const satisfies Record<string, (...facts: never[]) => AuditText>;
