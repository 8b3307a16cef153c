import {
  PaletteClientsDocument,
  PalettePeopleDocument,
  PaletteRecordsDocument,
  type PaletteRecordsQuery,
  type PaletteReferenceQuery,
} from "../_generated/palette.ts";
import { request } from "../api/request.ts";
import type { PersonScope } from "../pages/person/personScope.ts";
import type { SupportSearch } from "../pages/support/search.ts";
import { PROVIDER_NAMES, REGISTRATION_STATES, shortKeyId } from "../ui/labels.ts";
import { shownText } from "../ui/shownText.ts";

/** A result of the palette: a page, or an action to run. */
export interface PaletteItem {
  /** Unique in the palette. */
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly detail?: string;
  /** Searched, but not shown. */
  readonly keywords?: string;
  readonly target: PageTarget | (() => void);
}

/** A page of the panel by its path. */
export interface PageTarget {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  /** What the page is about, because a URL must not name a user. */
  readonly state?: { readonly supportSearch: SupportSearch } | { readonly person: PersonScope };
}

type FoundRegistration = PaletteRecordsQuery["registrations"][number];

/** What admins look for on a page, besides its name. */
const PAGE_WORDS: Readonly<Record<string, string>> = {
  "/": "home incidents outages attention",
  "/clients": "applications tenants testers origins return urls branding events endpoints",
  "/connections": "accounts reconnect causes",
  "/support": "users people connection erase export disconnect reconnect rescan retry job attempt",
  "/registrations": "providers quota scopes",
  "/api-keys": "admin keys mint revoke rotate",
  "/admins": "members",
  "/audit": "history entries changes",
  "/health": "jobs scans counts charts numbers queue",
};

export function pageItem({ to, label }: { readonly to: string; readonly label: string }): PaletteItem {
  const keywords = PAGE_WORDS[to];
  return { id: to, group: "Pages", label, ...(keywords && { keywords }), target: { to } };
}

/** Pages that create a record, and where the work on one user begins. */
export const PAGE_ACTIONS: readonly PaletteItem[] = [
  {
    id: "reconnects",
    label: "Connections that need a reconnect",
    keywords: "required broken ended consent",
    target: { to: "/connections", search: { status: "RECONNECT_REQUIRED" } },
  },
  {
    id: "erase-user",
    label: "Erase a user’s data",
    detail: "Find the user in Support",
    keywords: "everything delete remove forget person gdpr",
    target: { to: "/support" },
  },
  {
    id: "export-user",
    label: "Export a user’s data",
    detail: "Find the user in Support",
    keywords: "download access person gdpr",
    target: { to: "/support" },
  },
  {
    id: "disconnect-user",
    label: "Disconnect an account for a user",
    detail: "Find the connection in Support",
    keywords: "revoke remove",
    target: { to: "/support" },
  },
  { id: "add-admin", label: "Add an admin", keywords: "invite new member", target: { to: "/admins" } },
  { id: "create-client", label: "Create a client", keywords: "new application add", target: { to: "/clients/new" } },
  { id: "mint-key", label: "Mint an admin key", keywords: "new api create issue", target: { to: "/api-keys/new" } },
  {
    id: "new-registration",
    label: "New registration",
    keywords: "create provider add",
    target: { to: "/registrations/new" },
  },
].map((item) => ({ ...item, group: "Actions" }));

/** Records that the service returns as a whole: registrations, admins, and the newest 100 admin keys. */
export async function readRecords(): Promise<readonly PaletteItem[]> {
  const { registrations, members, keys } = await request(PaletteRecordsDocument);
  return [
    ...registrations.map(
      ({ id, provider, status, clientIdHint }): PaletteItem => ({
        id,
        group: "Registrations",
        label: PROVIDER_NAMES[provider],
        detail: `${REGISTRATION_STATES[status].label} · client id ${clientIdHint}`,
        keywords: "registration",
        target: { to: `/registrations/${id}` },
      }),
    ),
    ...registrations.flatMap(registrationActions),
    ...keys.items.map(adminKeyItem),
    ...members.map(
      ({ id, email }): PaletteItem => ({
        id,
        group: "Admins",
        label: email,
        keywords: "admin",
        target: { to: "/admins" },
      }),
    ),
  ];
}

function adminKeyItem({ id, label, createdBy }: PaletteRecordsQuery["keys"]["items"][number]): PaletteItem {
  return {
    id,
    group: "Admin keys",
    label: label.trim() || shortKeyId(id),
    detail: `${shortKeyId(id)} · ${createdBy}`,
    keywords: "key",
    target: { to: `/api-keys/${id}` },
  };
}

/** A registration's changes, which its page asks to confirm. */
function registrationActions({ id, provider, status, clientIdHint }: FoundRegistration): readonly PaletteItem[] {
  const action = (open: "pause" | "quota", label: string, keywords: string): PaletteItem => ({
    id: `${open} ${id}`,
    group: "Actions",
    label: `${label} ${PROVIDER_NAMES[provider]}`,
    detail: `client id ${clientIdHint}`,
    keywords: `the registration at ${keywords}`,
    target: { to: `/registrations/${id}`, search: { open } },
  });
  const quota = action("quota", "Change the quota of", "limit budget calls");
  return status === "PUBLISHED" ? [action("pause", "Pause", "of stop"), quota] : [quota];
}

/** The page of a client that a search opens. */
export const CLIENT_PAGES = { open: "", issueKey: "/keys/new", rotateKey: "/keys" } as const;

/** The clients whose name or slug contains the text, or whose id begins with it. */
export async function findClients(text: string, page: keyof typeof CLIENT_PAGES): Promise<readonly PaletteItem[]> {
  const { items } = (await request(PaletteClientsDocument, { text })).page;
  return items.map((client) => clientItem(client, page));
}

interface FoundClient {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
}

function clientItem({ id, slug, displayName }: FoundClient, page: keyof typeof CLIENT_PAGES): PaletteItem {
  const target = { to: `/clients/${id}${CLIENT_PAGES[page]}` };
  if (page === "rotateKey")
    return { id: `rotate ${id}`, group: "Actions", label: `Rotate the key of ${displayName}`, detail: slug, target };
  return { id: `client ${id}`, group: "Clients", label: displayName, detail: slug, target };
}

/** The users of any client with this id, or whose id begins with it. */
export async function findPeople(startsWith: string): Promise<readonly PaletteItem[]> {
  const { found } = await request(PalettePeopleDocument, { startsWith });
  return found.map((person) => ({
    id: `person ${person.clientSlug} ${person.tenantKey} ${person.externalSubjectId}`,
    group: "Users",
    label: shownText(person.externalSubjectId),
    detail: `${person.clientSlug} · ${person.tenantKey}`,
    target: { to: "/support/person", state: { person } },
  }));
}

/** What an id of a connection, a connect attempt, a job, a request or a key, or its start, refers to. */
export function referencedItems(found: PaletteReferenceQuery["found"]): readonly PaletteItem[] {
  const connection = (id: string, label: string, clientSlug: string): PaletteItem => ({
    id: `connection ${id}`,
    group: "Support",
    label,
    detail: `${clientSlug} · ${id}`,
    target: { to: `/support/connections/${id}` },
  });
  return [
    ...found.connections.map(({ id, provider, clientSlug }) =>
      connection(id, `Connection at ${PROVIDER_NAMES[provider]}`, clientSlug),
    ),
    ...found.erased.map(({ id, clientSlug }) => connection(id, "Erased connection", clientSlug)),
    ...found.attempts.map(
      ({ id, provider, clientSlug }): PaletteItem => ({
        id: `attempt ${id}`,
        group: "Support",
        label: `Connect attempt at ${PROVIDER_NAMES[provider]}`,
        detail: `${clientSlug} · ${id}`,
        target: { to: "/support", state: { supportSearch: { kind: "id", id } } },
      }),
    ),
    ...found.apiKeys.map(adminKeyItem),
    ...found.applicationKeys.map(
      ({ id, clientId, clientSlug }): PaletteItem => ({
        id,
        group: "Application keys",
        label: `Key of ${clientSlug}`,
        detail: shortKeyId(id),
        target: { to: `/clients/${clientId}/keys` },
      }),
    ),
  ];
}
