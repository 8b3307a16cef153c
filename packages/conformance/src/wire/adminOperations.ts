import type { AdminOperationName, AdminOperations, UnionOperations } from "./adminTypes.ts";

export type AdminClass = "READ" | "WRITE" | "PANEL";

interface AdminOperationText {
  readonly kind: "query" | "mutation";
  readonly class: AdminClass;
  readonly args: Readonly<Record<string, string>>;
  readonly fields: string;
}

/** The records with all their fields, as the decisions have them. */
export const RECORD_FIELDS = {
  AdminClient:
    "id slug displayName enabled webOrigins returnUrls identityReturnUrls providers capabilities tenantKeys previewOriginsEnabled previewReturnPaths idpIdentityEnabled createdAt updatedAt",
  AuditEntry: "id at actor apiKeyId action targetType targetId clientSlug summary",
  AdminMember: "id email bound addedAt addedBy",
  AdminRegistration: "id provider status clientIdHint capabilities applications updatedAt",
  AdminProviderAvailability: "provider available reason",
  PreviewTemplate: "template",
  ApiKey: "id label scope createdBy createdAt expiresAt lastUsedAt revokedAt",
  ClientCredential: "keyId createdAt expiresAt lastUsedAt revokedAt",
} as const;
const CLIENT_TESTER = "provider providerAccountId";
const REGISTRATION_DETAIL =
  "id provider status clientId addresses { authorization token revocation api issuer } scopes { capability scopes } capabilities clientIds createdAt updatedAt";

const ID = { id: "ID!" } as const;
const PAGING = { first: "Int", after: "String" } as const;
const page = (fields: string) => `items { ${fields} } pageInfo { endCursor hasNextPage }`;

const read = (fields: string, args: AdminOperationText["args"] = {}): AdminOperationText => ({
  kind: "query",
  class: "READ",
  args,
  fields,
});
const write = (args: AdminOperationText["args"]): AdminOperationText => ({
  kind: "mutation",
  class: "WRITE",
  args,
  fields: RECORD_FIELDS.AdminClient,
});
const panelRead = (fields: string, args: AdminOperationText["args"]): AdminOperationText => ({
  kind: "query",
  class: "PANEL",
  args,
  fields,
});

/** Which of the typed errors a change can answer with, beside those that any can. */
interface UnionText {
  readonly type: string;
  readonly fields: string;
  readonly args: AdminOperationText["args"];
  readonly needsConfirmation?: boolean;
  readonly checksProvider?: boolean;
}

function panelWrite({ type, fields, args, needsConfirmation, checksProvider }: UnionText): AdminOperationText {
  const errors = [
    "... on PanelError { message }",
    "... on ConflictError { reason }",
    "... on InvalidInputError { field }",
    ...(needsConfirmation ? ["... on ConfirmationRequiredError { confirmUrl }"] : []),
    ...(checksProvider ? ["... on ProviderCheckError { problems { address problem } }"] : []),
  ];
  const selection = `__typename ... on ${type} { ${fields} } ${errors.join(" ")}`;
  return { kind: "mutation", class: "PANEL", args, fields: selection };
}

const REGISTRATION = { type: "AdminRegistration", fields: RECORD_FIELDS.AdminRegistration } as const;

/** Every operation of the description's table, and those of the panel's own that cases use. */
const OPERATIONS: Readonly<Record<AdminOperationName, AdminOperationText>> = {
  previewTemplate: read(RECORD_FIELDS.PreviewTemplate),
  adminMembers: read(RECORD_FIELDS.AdminMember),
  adminAuditEntries: read(page(RECORD_FIELDS.AuditEntry), { ...PAGING, apiKeyId: "ID" }),
  adminClients: read(page(RECORD_FIELDS.AdminClient), PAGING),
  adminClient: read(RECORD_FIELDS.AdminClient, ID),
  adminProviderAvailability: read(RECORD_FIELDS.AdminProviderAvailability),
  adminRegistrations: read(RECORD_FIELDS.AdminRegistration),
  createClient: write({ input: "CreateClientInput!" }),
  setClientEnabled: write({ ...ID, enabled: "Boolean!" }),
  setClientDisplayName: write({ ...ID, displayName: "String!" }),
  setClientPolicy: write({ ...ID, providers: "[SocialProvider!]!", capabilities: "[Capability!]!" }),
  addClientTenantKey: write({ ...ID, tenantKey: "String!" }),
  removeClientTenantKey: write({ ...ID, tenantKey: "String!" }),
  addClientOrigin: write({ ...ID, origin: "String!" }),
  removeClientOrigin: write({ ...ID, origin: "String!" }),
  addClientReturnUrl: write({ ...ID, url: "String!", confirmedNoOnwardRedirect: "Boolean!" }),
  removeClientReturnUrl: write({ ...ID, url: "String!" }),
  setClientPreviewOrigins: write({ ...ID, enabled: "Boolean!" }),
  addClientPreviewReturnPath: write({ ...ID, path: "String!" }),
  removeClientPreviewReturnPath: write({ ...ID, path: "String!" }),
  apiKeys: panelRead(page(RECORD_FIELDS.ApiKey), PAGING),
  mintApiKey: panelWrite({
    type: "MintedApiKey",
    fields: `key apiKey { ${RECORD_FIELDS.ApiKey} }`,
    args: { label: "String!", scope: "ApiKeyScope!", lifetimeDays: "Int!" },
    needsConfirmation: true,
  }),
  revokeApiKey: panelWrite({ type: "ApiKey", fields: RECORD_FIELDS.ApiKey, args: ID }),
  addAdminMember: panelWrite({
    type: "AdminMember",
    fields: RECORD_FIELDS.AdminMember,
    args: { email: "String!" },
    needsConfirmation: true,
  }),
  removeAdminMember: panelWrite({
    type: "AdminMember",
    fields: RECORD_FIELDS.AdminMember,
    args: ID,
    needsConfirmation: true,
  }),
  issueClientCredential: panelWrite({
    type: "IssuedClientCredential",
    fields: `key credential { ${RECORD_FIELDS.ClientCredential} }`,
    args: { ...ID, expiresInDays: "Int" },
    needsConfirmation: true,
  }),
  revokeClientCredential: panelWrite({
    type: "ClientCredential",
    fields: RECORD_FIELDS.ClientCredential,
    args: { ...ID, keyId: "ID!" },
  }),
  publishRegistration: panelWrite({ ...REGISTRATION, args: ID, needsConfirmation: true, checksProvider: true }),
  disableRegistration: panelWrite({ ...REGISTRATION, args: ID }),
  setClientIdpIdentity: panelWrite({
    type: "AdminClient",
    fields: RECORD_FIELDS.AdminClient,
    args: { ...ID, enabled: "Boolean!", returnUrls: "[String!]" },
    needsConfirmation: true,
  }),
  searchClients: panelRead(page(RECORD_FIELDS.AdminClient), { text: "String!", ...PAGING }),
  searchAuditEntries: panelRead(page(RECORD_FIELDS.AuditEntry), {
    ...PAGING,
    apiKeyId: "ID",
    clientSlug: "String",
    action: "String",
  }),
  clientCredentials: panelRead(RECORD_FIELDS.ClientCredential, ID),
  clientTesters: panelRead(CLIENT_TESTER, ID),
  registrationDetail: panelRead(REGISTRATION_DETAIL, ID),
  addClientTester: panelWrite({
    type: "ClientTester",
    fields: CLIENT_TESTER,
    args: { ...ID, provider: "SocialProvider!", providerAccountId: "String!" },
  }),
  removeClientTester: panelWrite({
    type: "ClientTester",
    fields: CLIENT_TESTER,
    args: { ...ID, provider: "SocialProvider!", providerAccountId: "String!" },
  }),
  createRegistration: panelWrite({
    ...REGISTRATION,
    args: { provider: "SocialProvider!", input: "RegistrationInput!" },
  }),
  updateRegistration: panelWrite({
    ...REGISTRATION,
    args: { ...ID, input: "RegistrationInput!" },
    needsConfirmation: true,
  }),
  pauseRegistration: panelWrite({ ...REGISTRATION, args: ID }),
};

/** The description's table; the others are the panel's own. */
export const DESCRIBED_OPERATIONS = [
  "previewTemplate",
  "adminMembers",
  "adminAuditEntries",
  "adminClients",
  "adminClient",
  "adminProviderAvailability",
  "adminRegistrations",
  "createClient",
  "setClientEnabled",
  "setClientDisplayName",
  "setClientPolicy",
  "addClientTenantKey",
  "removeClientTenantKey",
  "addClientOrigin",
  "removeClientOrigin",
  "addClientReturnUrl",
  "removeClientReturnUrl",
  "setClientPreviewOrigins",
  "addClientPreviewReturnPath",
  "removeClientPreviewReturnPath",
  "apiKeys",
  "mintApiKey",
  "revokeApiKey",
  "addAdminMember",
  "removeAdminMember",
  "issueClientCredential",
  "revokeClientCredential",
  "publishRegistration",
  "disableRegistration",
  "setClientIdpIdentity",
] as const satisfies readonly AdminOperationName[];
export type DescribedOperation = (typeof DESCRIBED_OPERATIONS)[number];

export function adminClassOf(name: AdminOperationName): AdminClass {
  return OPERATIONS[name].class;
}

export function adminKindOf(name: AdminOperationName): AdminOperationText["kind"] {
  return OPERATIONS[name].kind;
}

/** Whether an operation answers with a union of the record and typed errors. */
export function answersUnion(name: AdminOperationName): name is keyof UnionOperations {
  return OPERATIONS[name].fields.startsWith("__typename");
}

/** The document that asks for an operation, with a variable for each of its arguments. */
export function adminDocumentOf(name: AdminOperationName): string {
  return adminDocument({ [name]: name });
}

/** One document of several operations of one kind; variables are named `<key>_<argument>`, but plainly when there is one. */
export function adminDocument(operations: Readonly<Record<string, AdminOperationName>>): string {
  const entries = Object.entries(operations);
  const variable = (key: string, arg: string) => (entries.length === 1 ? arg : `${key}_${arg}`);
  const declared = entries.flatMap(([key, name]) =>
    Object.entries(OPERATIONS[name].args).map(([arg, type]) => `$${variable(key, arg)}: ${type}`),
  );
  const fields = entries.map(([key, name]) => {
    const args = Object.keys(OPERATIONS[name].args).map((arg) => `${arg}: $${variable(key, arg)}`);
    const label = key === name ? name : `${key}: ${name}`;
    return `${label}${args.length === 0 ? "" : `(${args.join(", ")})`} { ${OPERATIONS[name].fields} }`;
  });
  const kind = OPERATIONS[entries[0]?.[1] ?? "adminMembers"].kind;
  return `${kind}${declared.length === 0 ? "" : `(${declared.join(", ")})`} { ${fields.join(" ")} }`;
}

export type AdminArgs<Name extends AdminOperationName> = AdminOperations[Name]["args"];
export type AdminAnswer<Name extends AdminOperationName> = AdminOperations[Name]["answer"];
