import type { OperationName, ReadOperation, WriteOperation } from "../_generated/operations.ts";
import type { AdminClient } from "../_generated/types.ts";
import type { AdminWriter } from "../writer.ts";
import type { WriteResult } from "../writes/outcome.ts";
import { CLIENT_ID, fakeWriter, NEW_CLIENT, SHOP } from "./clients.ts";

const ORIGINS = [...(SHOP.webOrigins ?? []), "https://unused.example"];
const CONFIRMED = { confirmedNoOnwardRedirect: true } as const;

interface Change {
  readonly run: (admin: AdminWriter) => Promise<WriteResult>;
  /** The client after the write. */
  readonly done: Partial<AdminClient>;
}

/** A call of every change of a client, and the client after it. */
export const CHANGES: { readonly [Operation in Exclude<WriteOperation, "createClient">]: Change } = {
  setClientEnabled: { run: (admin) => admin.setClientEnabled(CLIENT_ID, false), done: { enabled: false } },
  setClientDisplayName: {
    run: (admin) => admin.setClientDisplayName(CLIENT_ID, "New name"),
    done: { displayName: "New name" },
  },
  setClientPolicy: {
    run: (admin) => admin.setClientPolicy(CLIENT_ID, { providers: ["PROVIDER_C"], capabilities: ["PROFILE"] }),
    done: { providers: ["PROVIDER_C"], capabilities: ["PROFILE"] },
  },
  addClientTenantKey: {
    run: (admin) => admin.addClientTenantKey(CLIENT_ID, "initech"),
    done: { tenantKeys: ["acme", "globex", "initech"] },
  },
  removeClientTenantKey: {
    run: (admin) => admin.removeClientTenantKey(CLIENT_ID, "globex"),
    done: { tenantKeys: ["acme"] },
  },
  addClientOrigin: {
    run: (admin) => admin.addClientOrigin(CLIENT_ID, "https://new.example"),
    done: { webOrigins: [...ORIGINS, "https://new.example"] },
  },
  removeClientOrigin: {
    run: (admin) => admin.removeClientOrigin(CLIENT_ID, "https://unused.example"),
    done: { webOrigins: SHOP.webOrigins ?? [] },
  },
  addClientReturnUrl: {
    run: (admin) => admin.addClientReturnUrl(CLIENT_ID, "https://shop.example/new", CONFIRMED),
    done: { returnUrls: [...(SHOP.returnUrls ?? []), "https://shop.example/new"] },
  },
  removeClientReturnUrl: {
    run: (admin) => admin.removeClientReturnUrl(CLIENT_ID, "https://old.example/connected"),
    done: { returnUrls: ["https://shop.example/connected"] },
  },
  setClientPreviewOrigins: {
    run: (admin) => admin.setClientPreviewOrigins(CLIENT_ID, true),
    done: { previewOriginsEnabled: true },
  },
  addClientPreviewReturnPath: {
    run: (admin) => admin.addClientPreviewReturnPath(CLIENT_ID, "/new"),
    done: { previewReturnPaths: ["/connected", "/new"] },
  },
  removeClientPreviewReturnPath: {
    run: (admin) => admin.removeClientPreviewReturnPath(CLIENT_ID, "/connected"),
    done: { previewReturnPaths: [] },
  },
};

/** The service with a client that each of these changes does change. */
export function changeableShop(options: Parameters<typeof fakeWriter>[0] = {}) {
  const parts = fakeWriter(options);
  parts.api.put({ ...SHOP, webOrigins: ORIGINS });
  return parts;
}

const READS: { readonly [Operation in ReadOperation]: (admin: AdminWriter) => Promise<unknown> } = {
  previewTemplate: (admin) => admin.previewTemplate(),
  adminMembers: (admin) => admin.members(),
  adminAuditEntries: (admin) => admin.audit().page(),
  adminClients: (admin) => admin.clients().page(),
  adminClient: (admin) => admin.client(CLIENT_ID),
  adminProviderAvailability: (admin) => admin.providerAvailability(),
  adminRegistrations: (admin) => admin.registrations(),
};

/** Calls an operation. */
export function callOperation(operation: OperationName, admin: AdminWriter): Promise<unknown> {
  if (operation === "createClient") return admin.createClient(NEW_CLIENT);
  return operation in READS
    ? READS[operation as ReadOperation](admin)
    : CHANGES[operation as keyof typeof CHANGES].run(admin);
}
