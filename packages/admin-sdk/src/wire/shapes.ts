import type { Fits } from "@social-connect/sdk-core";
import { flag, list, optional, record, text } from "@social-connect/sdk-core";
import type { OperationName } from "./operations.ts";

const texts = list(text);
const page = (item: Fits) =>
  record({ items: list(item), pageInfo: record({ endCursor: optional(text), hasNextPage: flag }) });

const client = record({
  id: text,
  slug: text,
  displayName: text,
  enabled: flag,
  webOrigins: texts,
  returnUrls: texts,
  identityReturnUrls: texts,
  providers: texts,
  capabilities: texts,
  tenantKeys: texts,
  previewOriginsEnabled: flag,
  previewReturnPaths: texts,
  idpIdentityEnabled: flag,
  createdAt: text,
  updatedAt: text,
});

const auditEntry = record({
  id: text,
  at: text,
  actor: text,
  apiKeyId: optional(text),
  action: text,
  targetType: text,
  targetId: text,
  clientSlug: optional(text),
  summary: text,
});

/**
 * What each operation answers, to the last field that its document asks for; a test holds this against the published
 * schema. Values of enumerations are texts: one that is not known yet is data.
 */
const SHAPES: { readonly [Operation in OperationName]: Fits } = {
  adminClients: page(client),
  adminClient: client,
  adminAuditEntries: page(auditEntry),
  adminMembers: list(record({ id: text, email: text, bound: flag, addedAt: text, addedBy: text })),
  adminRegistrations: list(
    record({
      id: text,
      provider: text,
      status: text,
      clientIdHint: text,
      capabilities: texts,
      applications: optional(texts),
      updatedAt: text,
    }),
  ),
  adminProviderAvailability: list(record({ provider: text, available: flag, reason: optional(text) })),
  previewTemplate: record({ template: optional(text) }),
  createClient: client,
  setClientEnabled: client,
  setClientDisplayName: client,
  setClientPolicy: client,
  addClientTenantKey: client,
  removeClientTenantKey: client,
  addClientOrigin: client,
  removeClientOrigin: client,
  addClientReturnUrl: client,
  removeClientReturnUrl: client,
  setClientPreviewOrigins: client,
  addClientPreviewReturnPath: client,
  removeClientPreviewReturnPath: client,
};

/** Whether an operation's value is what the schema promises; what the document did not ask for is dropped from it. */
export function hasShape(operation: OperationName, value: unknown): boolean {
  return SHAPES[operation](value);
}
