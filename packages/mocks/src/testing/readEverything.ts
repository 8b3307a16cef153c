import { ADMIN_API, CONSUMER_API, documentOf, type OperationName } from "@social-connect/conformance";
import type { ConsumerMock } from "../mock/consumerMock.ts";
import { openControl } from "./control.ts";
import { askAdminApi, ask as askApi } from "./post.ts";

export const READS = [
  "integrationReadiness",
  "connections",
  "connectSessionResult",
  "redeemIdpIdentityResult",
  "syncJob",
  "connection",
  "content",
  "contentItem",
] as const;
type Read = (typeof READS)[number];

/** Reads all fields of an operation; returns the values and codes of the response, e.g. `SyncStatus.READY`. */
export async function ask(
  mock: ConsumerMock,
  operation: OperationName,
  variables: Readonly<Record<string, unknown>> = {},
  key = mock.key,
): Promise<string[]> {
  const [query, args] = [documentOf(operation), { scope: mock.scope, ...variables }];
  const answer = await askApi(mock, query, args, { key });
  return CONSUMER_API.observe(query, args, 200, answer).map((seen) => seen.replace("enum:", "").replace(":", "."));
}

/** Asks the admin API; gives the codes, reasons and states in the answer. */
export async function askAdmin(mock: ConsumerMock, query: string, key?: string): Promise<string[]> {
  return adminValues(query, await askAdminApi(mock, query, key));
}

/** The same as an admin in the panel. */
export async function askPanel(mock: ConsumerMock, query: string): Promise<string[]> {
  const control = openControl(mock.baseUrl, mock.fetch);
  return adminValues(query, await control<{ readonly data?: unknown }>("POST", "admin/panel", { query }));
}

const ADMIN_KINDS = { "admin-enum:": "", "admin-code:": "adminCode.", "admin-reason:": "adminReason." };

function adminValues(query: string, answer: { readonly data?: unknown }): string[] {
  return ADMIN_API.observe(query, {}, 200, answer).flatMap((seen) =>
    Object.entries(ADMIN_KINDS).flatMap(([prefix, name]) =>
      seen.startsWith(prefix) ? [seen.replace(prefix, name)] : [],
    ),
  );
}

/**
 * Asks for everything that there is, by all of the reads or some of them: what the mock holds, and what the facts of a
 * scenario name.
 */
export async function whatIsSeen(
  mock: ConsumerMock,
  facts: unknown,
  reads: readonly string[] = READS,
): Promise<string[]> {
  const named = gather(facts);
  const { tenantKey } = mock.scope;
  const connectionIds = mock.connections().map(({ state }) => state.id);
  const variables: Readonly<Record<Read, () => readonly object[]>> = {
    integrationReadiness: () => [{}],
    connections: () => [{}],
    connectSessionResult: () => named.ids.map((id) => ({ id })),
    redeemIdpIdentityResult: () => named.proofs.map(({ id, resultProof }) => ({ id, tenantKey, resultProof })),
    syncJob: () => mock.jobs().map(({ id, connectionId }) => ({ id, connectionId })),
    connection: () => connectionIds.map((id) => ({ id })),
    content: () =>
      connectionIds.flatMap((connectionId) =>
        [...named.windows, lastWeek(mock)].map((window) => ({ connectionId, window: { ...window, first: 50 } })),
      ),
    contentItem: () =>
      connectionIds.flatMap((connectionId) =>
        named.texts.map((providerContentId) => ({ connectionId, providerContentId })),
      ),
  };
  const seen: string[] = [];
  for (const read of READS.filter((name) => reads.includes(name))) {
    for (const one of variables[read]()) seen.push(...(await ask(mock, read, { ...one })));
  }
  return seen;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface Gathered {
  readonly ids: string[];
  readonly texts: string[];
  readonly windows: object[];
  readonly proofs: { readonly id: string; readonly resultProof: string }[];
}

function gather(facts: unknown, into: Gathered = { ids: [], texts: [], windows: [], proofs: [] }): Gathered {
  if (typeof facts === "string") (UUID.test(facts) ? into.ids : into.texts).push(facts);
  if (typeof facts !== "object" || facts === null) return into;
  if ("publishedAfter" in facts) into.windows.push(facts);
  else if ("resultProof" in facts) into.proofs.push(facts as Gathered["proofs"][number]);
  else for (const value of Object.values(facts)) gather(value, into);
  return into;
}

function lastWeek(mock: ConsumerMock): object {
  const now = mock.clock.now();
  return { publishedAfter: new Date(now - 7 * 86_400_000).toISOString(), publishedBefore: new Date(now).toISOString() };
}
