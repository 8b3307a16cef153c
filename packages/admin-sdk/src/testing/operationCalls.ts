import type { OperationName, ReadOperation, WriteOperation } from "../_generated/operations.ts";
import type { AdminClient } from "../_generated/types.ts";
import type { AdminWriter } from "../writer.ts";
import type { WriteResult } from "../writes/outcome.ts";
import { CLIENT_ID, fakeShop, NEW_CLIENT, SHOP } from "./clients.ts";

const CANARY = {
  slug: "canary-slug-7f3a",
  displayName: "Canary Display Name 7f3a",
  origin: "https://canary-origin-7f3a.example",
  url: "https://shop.example/canary-path-7f3a",
  tenantKey: "canary-tenant-7f3a",
  path: "/canary-preview-7f3a",
  privacyUrl: "https://shop.example/canary-privacy-7f3a",
  cursor: "canary-cursor-7f3a",
};
/** Arguments of the calls. No test may find one in an output of the client. */
export const CANARY_ARGUMENTS: readonly string[] = Object.values(CANARY);
const CANARY_CLIENT = {
  ...NEW_CLIENT,
  slug: CANARY.slug,
  displayName: CANARY.displayName,
  webOrigins: [CANARY.origin],
  returnUrls: [`${CANARY.origin}/canary`],
  tenantKeys: [CANARY.tenantKey],
};

/** A client that each of these changes does change. */
export const CHANGEABLE = { ...SHOP, webOrigins: [...(SHOP.webOrigins ?? []), "https://unused.example"] };

type ChangeName = Exclude<WriteOperation, "createClient">;
interface Change<Args> {
  readonly args: Args;
  readonly done: Partial<AdminClient>;
}
type ArgumentsOf<Call> = Call extends (id: string, ...args: infer Args) => unknown ? Args : never;

const POLICY = { providers: ["PROVIDER_C"], capabilities: ["PROFILE"] } as const;
const CONFIRMED = { confirmedNoOnwardRedirect: true } as const;
const { webOrigins, returnUrls = [], tenantKeys = [], previewReturnPaths = [] } = CHANGEABLE;
export const CHANGES: { readonly [Name in ChangeName]: Change<ArgumentsOf<AdminWriter[Name]>> } = {
  setClientEnabled: { args: [false], done: { enabled: false } },
  setClientDisplayName: { args: [CANARY.displayName], done: { displayName: CANARY.displayName } },
  setClientBranding: { args: [{ privacyUrl: CANARY.privacyUrl }], done: { privacyUrl: CANARY.privacyUrl } },
  setClientPolicy: { args: [POLICY], done: POLICY },
  addClientTenantKey: { args: [CANARY.tenantKey], done: { tenantKeys: [...tenantKeys, CANARY.tenantKey] } },
  removeClientTenantKey: { args: ["globex"], done: { tenantKeys: ["acme"] } },
  addClientOrigin: { args: [CANARY.origin], done: { webOrigins: [...webOrigins, CANARY.origin] } },
  removeClientOrigin: { args: ["https://unused.example"], done: { webOrigins: webOrigins.slice(0, -1) } },
  addClientReturnUrl: { args: [CANARY.url, CONFIRMED], done: { returnUrls: [...returnUrls, CANARY.url] } },
  removeClientReturnUrl: { args: ["https://old.example/connected"], done: { returnUrls: returnUrls.slice(0, 1) } },
  setClientPreviewOrigins: { args: [true], done: { previewOriginsEnabled: true } },
  addClientPreviewReturnPath: {
    args: [CANARY.path],
    done: { previewReturnPaths: [...previewReturnPaths, CANARY.path] },
  },
  removeClientPreviewReturnPath: { args: ["/connected"], done: { previewReturnPaths: [] } },
};

export function runChange(name: ChangeName, admin: AdminWriter, id = CLIENT_ID): Promise<WriteResult> {
  return Reflect.apply(admin[name], admin, [id, ...CHANGES[name].args]);
}

/** The service with a client that each of these changes does change. */
export const changeableShop = (options?: Parameters<typeof fakeShop>[0]) => fakeShop(options, CHANGEABLE);

const READS: { readonly [Name in ReadOperation]: (admin: AdminWriter, id: string) => Promise<unknown> } = {
  previewTemplate: (admin) => admin.previewTemplate(),
  adminMembers: (admin) => admin.members(),
  adminAuditEntries: (admin) => admin.audit().page(CANARY.cursor),
  adminClients: (admin) => admin.clients().page(CANARY.cursor),
  adminClient: (admin, id) => admin.client(id),
  adminProviderAvailability: (admin) => admin.providerAvailability(),
  adminRegistrations: (admin) => admin.registrations(),
};

/** Calls an operation, on this client if it concerns one. */
export function callOperation(name: OperationName, admin: AdminWriter, id = CLIENT_ID): Promise<unknown> {
  if (name === "createClient") return admin.createClient(CANARY_CLIENT);
  return name in READS ? READS[name as ReadOperation](admin, id) : runChange(name as ChangeName, admin, id);
}
