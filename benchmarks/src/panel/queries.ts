import type { PanelSession } from "./signIn.ts";
import type { Measured } from "./spread.ts";

interface PanelQuery {
  readonly name: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const CLIENT =
  "id slug displayName enabled webOrigins returnUrls providers capabilities tenantKeys previewReturnPaths createdAt updatedAt";
const ENTRY = "id at actor apiKeyId action targetType targetId clientSlug summary";
const PAGE = "pageInfo { endCursor hasNextPage }";

/** What the panel's pages ask; ids and cursors are found out first. */
async function panelQueries(ask: Ask): Promise<readonly PanelQuery[]> {
  const audit = `query($after: String, $apiKeyId: ID, $clientSlug: String, $action: String) {
    searchAuditEntries(first: 50, after: $after, apiKeyId: $apiKeyId, clientSlug: $clientSlug, action: $action) { items { ${ENTRY} } ${PAGE} } }`;
  const first = (await ask({ name: "", query: audit })) as {
    searchAuditEntries: { items: { id: string; apiKeyId: string; clientSlug: string; action: string }[] };
  };
  const entry = first.searchAuditEntries.items.find(({ apiKeyId, clientSlug }) => apiKeyId && clientSlug);
  if (entry === undefined) throw new Error("the audit log has no entry of a key and a client");
  const { apiKeyId, clientSlug, action } = entry;
  const deep = await cursorAfter(ask, audit, 40);
  const clients = `query($after: String) { adminClients(first: 50, after: $after) { items { ${CLIENT} } ${PAGE} } }`;
  const search = `query($text: String!) { searchClients(first: 50, text: $text) { items { ${CLIENT} } ${PAGE} } }`;
  const { adminClients } = (await ask({ name: "", query: clients })) as { adminClients: { items: { id: string }[] } };
  const id = adminClients.items.at(-1)?.id;
  return [
    { name: "clients, first page", query: clients },
    { name: "clients whose name holds a text", query: search, variables: { text: "client 77" } },
    { name: "clients, a text that nothing holds", query: search, variables: { text: "nothing like it" } },
    {
      name: "one client with its keys and testers",
      query: `query($id: ID!) { adminClient(id: $id) { ${CLIENT} } clientCredentials(id: $id) { keyId } clientTesters(id: $id) { provider providerAccountId } }`,
      variables: { id },
    },
    { name: "audit, first page", query: audit },
    { name: "audit, page 41", query: audit, variables: { after: deep } },
    { name: "audit of a key", query: audit, variables: { apiKeyId } },
    { name: "audit of a client", query: audit, variables: { clientSlug } },
    { name: "audit of an action", query: audit, variables: { action } },
    { name: "audit of an action that never was", query: audit, variables: { action: "Client disabled" } },
    { name: "audit of key, client and action", query: audit, variables: { apiKeyId, clientSlug, action } },
    {
      name: "audit of a key and an action that it never did",
      query: audit,
      variables: { apiKeyId, action: "Admin removed" },
    },
    {
      name: "one audit entry",
      query: `query($id: ID!) { auditEntry(id: $id) { ${ENTRY} } }`,
      variables: { id: entry.id },
    },
    { name: "admin keys, first page", query: `{ apiKeys(first: 50) { items { id label lastUsedAt } ${PAGE} } }` },
    { name: "admins", query: "{ adminMembers { id email bound addedAt addedBy } }" },
    {
      name: "registrations",
      query: "{ adminRegistrations { id provider status applications } adminProviderAvailability { provider reason } }",
    },
    {
      name: "overview",
      query: `{ serviceOverview { overdueJobs expiringApiKeys { id } expiringCredentials { clientSlug credential { keyId expiresAt } }
                jobs { provider kind status errorCode count waitingToRetry } connections { provider status count }
                connectAttempts { provider status resultCode count } } }`,
    },
  ];
}

type Ask = (query: PanelQuery) => Promise<unknown>;

/** Asks each query so often, one after the other: what one person waits for. A first time is not counted. */
export async function measureQueries(host: string, session: PanelSession, rounds: number): Promise<Measured[]> {
  const ask: Ask = async ({ query, variables = {} }) => {
    const response = await fetch(`${host}/panel/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin: new URL(host).origin,
        cookie: session.cookie,
        "x-csrf-token": session.csrfToken,
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
  const measured: Measured[] = [];
  for (const query of await panelQueries(ask)) {
    const took: number[] = [];
    await ask(query);
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now();
      await ask(query);
      took.push(performance.now() - begin);
    }
    measured.push({ name: query.name, took });
  }
  return measured;
}

async function cursorAfter(ask: Ask, query: string, pages: number): Promise<string | null> {
  let after: string | null = null;
  for (let page = 0; page < pages; page++) {
    const answer = (await ask({ name: "", query, variables: { after } })) as {
      searchAuditEntries: { pageInfo: { endCursor: string | null } };
    };
    after = answer.searchAuditEntries.pageInfo.endCursor;
  }
  return after;
}
