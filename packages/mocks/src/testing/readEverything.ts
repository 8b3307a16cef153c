import { buildSchema, type GraphQLNamedType, getNamedType, isEnumType, isObjectType } from "graphql";
import { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
import type { ConsumerMock } from "../mock/consumerMock.ts";
import { mockTarget } from "./mockTarget.ts";
import { askAdminApi, ask as askApi } from "./post.ts";

const SCHEMA = buildSchema(CONSUMER_SCHEMA_TEXT);
const CODES = ["resultCode", "errorCode", "incompleteReason", "reason"];

/** Reads that only require the facts of a scenario. */
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
  operation: string,
  variables: Readonly<Record<string, unknown>> = {},
  key = mock.key,
): Promise<string[]> {
  const [queries, mutations] = [SCHEMA.getQueryType(), SCHEMA.getMutationType()].map((type) => type?.getFields());
  const kind = queries?.[operation] === undefined ? "mutation" : "query";
  const field = queries?.[operation] ?? mutations?.[operation];
  if (field === undefined) throw new Error(`there is no operation ${operation}`);
  const [declared, passed] = [
    field.args.map(({ name, type }) => `$${name}: ${type}`),
    field.args.map(({ name }) => `${name}: $${name}`),
  ].map((list) => (list.length === 0 ? "" : `(${list.join(", ")})`));
  const query = `${kind} Read${declared} { ${operation}${passed}${everything(getNamedType(field.type))} }`;
  const { data, errors = [] } = await askApi(mock, query, { scope: mock.scope, ...variables }, { key });
  const seen = errors.map(({ extensions }) => `code.${extensions.code}`);
  note(getNamedType(field.type), data?.[operation], seen);
  return seen;
}

/** Asks the admin API; gives the codes, reasons and states in the answer. */
export async function askAdmin(mock: ConsumerMock, query: string, key?: string): Promise<string[]> {
  const { data, errors = [] } = await askAdminApi(mock, query, key);
  return [
    ...errors.flatMap(({ extensions: { code, reason } }) => [`adminCode.${code}`, `adminReason.${reason}`]),
    ...adminValues(data),
  ];
}

/** The same as an admin in the panel, who has just signed in. */
export async function askPanel(mock: ConsumerMock, query: string): Promise<string[]> {
  const { fetch, baseUrl, connectHost } = mock;
  const close = async () => {};
  const target = await mockTarget({ name: "panel", fetch, baseUrl, rawSocket: false, previewTemplate: null, close });
  if (target.admin === undefined || connectHost !== baseUrl) throw new Error("the mock has no panel here");
  const { data } = await target.admin.panel.run(query, {});
  return adminValues(data);
}

function adminValues(data: unknown): string[] {
  const text = JSON.stringify(data ?? null);
  return [
    ...[...text.matchAll(/"status":"([A-Z]+)"/g)].map(([, value]) => `RegistrationStatus.${value}`),
    ...[...text.matchAll(/"scope":"([A-Z]+)"/g)].map(([, value]) => `ApiKeyScope.${value}`),
    ...[...text.matchAll(/"reason":"([A-Z_]+)"/g)].map(([, value]) => `adminReason.${value}`),
  ];
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

function everything(type: GraphQLNamedType): string {
  if (!isObjectType(type)) return "";
  const fields = Object.values(type.getFields());
  return ` { ${fields.map((field) => `${field.name}${everything(getNamedType(field.type))}`).join(" ")} }`;
}

function note(type: GraphQLNamedType, value: unknown, seen: string[]): void {
  if (Array.isArray(value)) for (const entry of value) note(type, entry, seen);
  else if (isEnumType(type) && typeof value === "string") seen.push(`${type.name}.${value}`);
  else if (isObjectType(type) && typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (CODES.includes(name) && typeof inner === "string") seen.push(`${name}.${inner}`);
      const field = type.getFields()[name];
      if (field !== undefined) note(getNamedType(field.type), inner, seen);
    }
  }
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
