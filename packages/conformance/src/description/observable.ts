import * as contract from "@social-connect/contract";
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import { ADMIN_SCHEMA, CONSUMER_SCHEMA, rootFieldsOf } from "../wire/apis.ts";
import { DESCRIBED_OPERATIONS } from "./adminOperations.ts";

const named = (kind: string, names: readonly string[]) => names.map((name) => `${kind}:${name}`);

/** Operations with their arguments, and the fields of input types. */
function callsOf(schema: GraphQLSchema, operations: readonly string[]): string[] {
  const roots = rootFieldsOf(schema);
  const inputs = new Set<string>();
  const note = (path: string, type: GraphQLInputType) => {
    inputs.add(path);
    const inner = getNamedType(type);
    if (!isInputObjectType(inner)) return;
    for (const field of Object.values(inner.getFields())) note(`${inner.name}.${field.name}`, field.type);
  };
  for (const name of operations) for (const arg of roots[name]?.args ?? []) note(`${name}.${arg.name}`, arg.type);
  return [...named("operation", operations), ...named("argument", [...inputs])];
}

/** Fields of these records, and the values of these enumerations. */
function valuesOf(schema: GraphQLSchema, isShown: (type: string) => boolean): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isIntrospectionType(type) || !isShown(type.name)) return [];
    if (isEnumType(type)) return type.getValues().map(({ name }) => `enum:${type.name}.${name}`);
    if (!isObjectType(type) || roots.includes(type)) return [];
    return Object.keys(type.getFields()).map((name) => `field:${type.name}.${name}`);
  });
}

const ADMIN_RECORDS = [
  ...["AdminClient", "AuditEntry", "AdminMember", "AdminRegistration", "AdminProviderAvailability", "PreviewTemplate"],
  ...["ApiKey", "ClientCredential", "SocialProvider", "Capability", "ApiKeyScope", "RegistrationStatus"],
];

/** All that exchanges can show of the contracts: a run of every case has to see each. */
export const OBSERVABLE: readonly string[] = [
  ...callsOf(CONSUMER_SCHEMA, Object.keys(rootFieldsOf(CONSUMER_SCHEMA))),
  ...valuesOf(CONSUMER_SCHEMA, () => true),
  ...named("code", contract.ERROR_CODES),
  ...named("resultCode", contract.CONNECT_RESULT_CODES),
  ...named("errorCode", contract.JOB_ERROR_CODES),
  ...named("incompleteReason", contract.PAGE_INCOMPLETE_REASONS),
  ...named("reason", contract.OBSERVATION_REASONS),
  ...named("reason", ["AUTHORIZATION_SUSPENDED", "RECONNECT_REQUIRED", "CAPABILITY_UNAVAILABLE", "FORBIDDEN"]),
  ...[
    ...callsOf(ADMIN_SCHEMA, DESCRIBED_OPERATIONS),
    ...valuesOf(ADMIN_SCHEMA, (type) => ADMIN_RECORDS.includes(type)),
    ...named("code", contract.ADMIN_ERROR_CODES),
    ...named("reason", [...contract.ADMIN_FORBIDDEN_REASONS, ...contract.CONFLICT_REASONS]),
    ...named("type", ["InvalidInputError", "ConflictError", "NotFoundError"]),
    ...named("type", ["ConfirmationRequiredError", "ProviderCheckError"]),
    ...named("availability", ["REGISTRATION_PAUSED", "REGISTRATION_DISABLED"]),
    ...named("action", ["API key first used"]),
  ].map((one) => `admin-${one}`),
];
