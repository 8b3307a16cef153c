import type { AdminClient, RegistrationInput } from "../../../_generated/adminWire.ts";
import { clientInput } from "../../../context/adminApiClient.ts";
import type { Steps } from "../../../context/steps.ts";
import { anyArguments, type DescribedOperation } from "../../../description/adminOperations.ts";
import { removeMember } from "./admins.ts";

/** Arguments with which an operation succeeds, and what it would change. */
export interface Prepared {
  readonly args: Readonly<Record<string, unknown>>;
  readonly client?: AdminClient;
  readonly undo?: () => Promise<void>;
}

type Prepare = (t: Steps) => Promise<Prepared>;

function onClient(args: (client: AdminClient, origin: string) => Readonly<Record<string, unknown>>): Prepare {
  return async (t) => {
    const client = await t.admin.client();
    return { client, args: { id: client.id, ...args(client, client.webOrigins[0] ?? "") } };
  };
}

/** A registration that serves no client, at a provider whose availability no case checks. */
export const DRAFT: RegistrationInput = {
  clientId: "conformance-draft",
  clientSecret: "not a valid secret",
  addresses: {
    authorization: "https://provider.example.invalid/authorize",
    token: "https://provider.example.invalid/token",
    revocation: "https://provider.example.invalid/revoke",
    api: "https://provider.example.invalid/api",
  },
  scopes: [{ capability: "PROFILE", scopes: ["profile"] }],
  capabilities: ["PROFILE"],
};

export async function draftRegistration(t: Steps): Promise<string> {
  return (await t.admin.inPanel("createRegistration", { provider: "PROVIDER_B", input: DRAFT })).id;
}

/** A disabled registration can be published like a draft; reusing it keeps runs from accumulating registrations. */
async function publishableRegistration(t: Steps): Promise<string> {
  const hint = DRAFT.clientId.slice(0, 6);
  const left = (await t.admin.get("adminRegistrations", {})).find(
    (one) => one.provider === "PROVIDER_B" && one.status === "DISABLED" && one.clientIdHint.startsWith(hint),
  );
  return left?.id ?? draftRegistration(t);
}

/** For the operations with arguments that do not only name a client. */
const PREPARATIONS: Readonly<Partial<Record<DescribedOperation, Prepare>>> = {
  adminAuditEntries: async () => ({ args: { first: 1 } }),
  adminClients: async () => ({ args: { first: 1 } }),
  createClient: async () => ({ args: { input: clientInput() } }),
  setClientEnabled: onClient(() => ({ enabled: false })),
  setClientDisplayName: onClient(() => ({ displayName: "Another name" })),
  setClientBranding: onClient(() => ({ brandColor: "#0a5c36" })),
  setClientPolicy: onClient(() => ({ providers: ["PROVIDER_B"], capabilities: ["CONTENT_LIST"] })),
  addClientTenantKey: onClient(() => ({ tenantKey: "tenant-new" })),
  removeClientTenantKey: onClient(() => ({ tenantKey: "tenant-one" })),
  addClientOrigin: onClient(() => ({ origin: "https://new-origin.example.test" })),
  removeClientOrigin: onClient((client) => ({ origin: client.webOrigins[1] })),
  addClientReturnUrl: onClient((_, origin) => ({ url: `${origin}/third-return`, confirmedNoOnwardRedirect: true })),
  removeClientReturnUrl: onClient((client) => ({ url: client.returnUrls[1] })),
  setClientPreviewOrigins: onClient(() => ({ enabled: true })),
  addClientPreviewReturnPath: onClient(() => ({ path: "/preview-return" })),
  removeClientPreviewReturnPath: async (t) => {
    const { id } = await t.admin.client();
    const client = await t.admin.get("addClientPreviewReturnPath", { id, path: "/preview-return" });
    return { client, args: { id, path: "/preview-return" } };
  },
  apiKeys: async () => ({ args: { first: 1 } }),
  mintApiKey: async () => ({ args: { label: "conformance class", scope: "READ", lifetimeDays: 1 } }),
  revokeApiKey: async (t) => {
    const { id } = await t.admin.mint("READ");
    return { args: { id } };
  },
  addAdminMember: async (t) => {
    const email = `conformance-${crypto.randomUUID().slice(0, 13)}@example.test`;
    return { args: { email }, undo: () => removeMember(t, email) };
  },
  removeAdminMember: async (t) => {
    const email = `conformance-${crypto.randomUUID().slice(0, 13)}@example.test`;
    const { id } = await t.admin.inPanel("addAdminMember", { email });
    return { args: { id }, undo: () => removeMember(t, email) };
  },
  revokeClientCredential: async (t) => {
    const client = await t.admin.client();
    const { credential } = await t.admin.inPanel("issueClientCredential", { id: client.id });
    return { client, args: { id: client.id, keyId: credential.keyId } };
  },
  publishRegistration: async (t) => ({ args: { id: await publishableRegistration(t) } }),
  disableRegistration: async (t) => ({ args: { id: await draftRegistration(t) } }),
  setClientIdpIdentity: onClient((_, origin) => ({ enabled: true, returnUrls: [`${origin}/identity`] })),
};

export async function prepare(t: Steps, name: DescribedOperation): Promise<Prepared> {
  const own = PREPARATIONS[name];
  if (own !== undefined) return own(t);
  const names = Object.keys(anyArguments(name));
  if (names.length === 0) return { args: {} };
  const client = await t.admin.client();
  return { client, args: Object.fromEntries(names.map((field) => [field, client[field as keyof AdminClient]])) };
}
