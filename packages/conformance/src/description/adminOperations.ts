import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from "graphql";
import { ADMIN_SCHEMA, rootFieldsOf } from "../wire/apis.ts";
import type { AdminOperationName } from "../wire/documents.ts";

/** Who may call an operation: any API key, a WRITE key, or only the panel. */
export type AdminClass = "READ" | "WRITE" | "PANEL";

/**
 * The operations of the description's table. Written out, because tests compare the list of `@social-connect/contract`
 * with it.
 */
export const ADMIN_CLASSES = {
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
export type DescribedOperation = keyof typeof ADMIN_CLASSES;
export const DESCRIBED_OPERATIONS = Object.keys(ADMIN_CLASSES) as DescribedOperation[];

const ROOT_FIELDS = rootFieldsOf(ADMIN_SCHEMA);

/** Operations of the panel that the description does not name; an API key gets PANEL_ONLY for them as well. */
export const PANEL_OWN_OPERATIONS = (Object.keys(ROOT_FIELDS) as AdminOperationName[]).filter(
  (name) => !Object.hasOwn(ADMIN_CLASSES, name),
);

/** Operations that need a sign-in of at most five minutes ago. */
export const CONFIRMED_OPERATIONS = Object.values(ROOT_FIELDS).flatMap(({ name, type }) => {
  const union = getNamedType(type);
  return isUnionType(union) && union.getTypes().some((one) => one.name === "ConfirmationRequiredError") ? [name] : [];
});

/** Valid values of the required arguments; the objects that they name need not exist. */
export function anyArguments(name: AdminOperationName): Record<string, unknown> {
  return anyValues((ROOT_FIELDS[name]?.args ?? []).filter(isRequiredArgument));
}

function anyValues(inputs: readonly (GraphQLArgument | GraphQLInputField)[]): Record<string, unknown> {
  return Object.fromEntries(inputs.map(({ name, type }) => [name, anyValue(type)]));
}

function anyValue(type: GraphQLInputType): unknown {
  if (isListType(getNullableType(type))) return [];
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (isInputObjectType(named)) return anyValues(Object.values(named.getFields()).filter(isRequiredInputField));
  return { Boolean: false, Int: 1, Float: 1 }[named.name] ?? "00000000-0000-4000-8000-000000000000";
}
