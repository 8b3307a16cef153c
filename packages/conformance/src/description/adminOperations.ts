import { assertEnumType, assertObjectType, isRequiredArgument } from "graphql";
import { ADMIN_SCHEMA } from "../wire/apis.ts";

/** Who may call an operation: any API key, a WRITE key, or only the panel. */
export type AdminClass = "READ" | "WRITE" | "PANEL";

/**
 * The operations of the description's table. Written out, because tests compare the list of `@social-connect/contract`
 * with it.
 */
const CLASSES = {
  previewTemplate: "READ",
  adminMembers: "READ",
  adminAuditEntries: "READ",
  adminClients: "READ",
  adminClient: "READ",
  adminProviderAvailability: "READ",
  adminRegistrations: "READ",
  apiKeys: "PANEL",
  createClient: "WRITE",
  setClientEnabled: "WRITE",
  setClientDisplayName: "WRITE",
  setClientBranding: "WRITE",
  setClientPolicy: "WRITE",
  addClientTenantKey: "WRITE",
  removeClientTenantKey: "WRITE",
  addClientOrigin: "WRITE",
  removeClientOrigin: "WRITE",
  addClientReturnUrl: "WRITE",
  removeClientReturnUrl: "WRITE",
  setClientPreviewOrigins: "WRITE",
  addClientPreviewReturnPath: "WRITE",
  removeClientPreviewReturnPath: "WRITE",
  mintApiKey: "PANEL",
  revokeApiKey: "PANEL",
  addAdminMember: "PANEL",
  removeAdminMember: "PANEL",
  issueClientCredential: "PANEL",
  revokeClientCredential: "PANEL",
  publishRegistration: "PANEL",
  disableRegistration: "PANEL",
  setClientIdpIdentity: "PANEL",
} as const satisfies Readonly<Record<string, AdminClass>>;
export type DescribedOperation = keyof typeof CLASSES;
export const DESCRIBED_OPERATIONS = Object.keys(CLASSES) as DescribedOperation[];

const ROOT_FIELDS = { ...ADMIN_SCHEMA.getQueryType()?.getFields(), ...ADMIN_SCHEMA.getMutationType()?.getFields() };

/** Operations of the panel that the description does not name; an API key gets PANEL_ONLY for them as well. */
export const PANEL_OWN_OPERATIONS: readonly string[] = Object.keys(ROOT_FIELDS).filter(
  (name) => !Object.hasOwn(CLASSES, name),
);

/** Operations that need a sign-in of at most five minutes ago. */
export const CONFIRMED_OPERATIONS = [
  "mintApiKey",
  "issueClientCredential",
  "publishRegistration",
  "addAdminMember",
  "removeAdminMember",
  "updateRegistration",
  "setRegistrationQuota",
  "setClientIdpIdentity",
  "viewConnection",
  "rescanConnection",
  "retryJob",
  "disconnectForUser",
  "erasePerson",
] as const;

export function adminClassOf(name: DescribedOperation): AdminClass {
  return CLASSES[name];
}

export function argumentsOf(name: DescribedOperation): string[] {
  return (ROOT_FIELDS[name]?.args ?? []).filter(isRequiredArgument).map((argument) => argument.name);
}

export function adminFieldsOf(record: string): string[] {
  return Object.keys(assertObjectType(ADMIN_SCHEMA.getType(record)).getFields());
}

export function adminValuesOf(enumeration: string): string[] {
  return assertEnumType(ADMIN_SCHEMA.getType(enumeration))
    .getValues()
    .map(({ name }) => name);
}
