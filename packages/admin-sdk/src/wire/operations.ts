/** Operations that any admin key may call. Source: service description, part 4. */
export type ReadOperation =
  | "previewTemplate"
  | "adminMembers"
  | "adminAuditEntries"
  | "adminClients"
  | "adminClient"
  | "adminProviderAvailability"
  | "adminRegistrations";

/** Operations that take a key of scope WRITE. Source: service description, part 4. */
export type WriteOperation =
  | "createClient"
  | "setClientEnabled"
  | "setClientDisplayName"
  | "setClientPolicy"
  | "addClientTenantKey"
  | "removeClientTenantKey"
  | "addClientOrigin"
  | "removeClientOrigin"
  | "addClientReturnUrl"
  | "removeClientReturnUrl"
  | "setClientPreviewOrigins"
  | "addClientPreviewReturnPath"
  | "removeClientPreviewReturnPath";

/** Every operation that an API key may call, by its name in the schema, without the panel-only operations. */
export type OperationName = ReadOperation | WriteOperation;
