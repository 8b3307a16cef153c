import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Deployment } from "../../../system-tests/deployment/deployment.ts";
import { CLIENT, TENANT } from "./fill.ts";

const SAMPLES = 10;

type User = Readonly<Record<"id" | "subject" | "job" | "correlation" | "attempt", string>>;

const IDS = "connections { id } erased { id } attempts { id }";
const PAGE = "pageInfo { endCursor hasNextPage }";
const SCOPE = "$clientSlug: String!, $tenantKey: String, $externalSubjectId: String!";
const SCOPED = "clientSlug: $clientSlug, tenantKey: $tenantKey, externalSubjectId: $externalSubjectId";

/** Asks what the support pages ask, for ten users, as the panel does. Gives the time that each user's took. */
export async function supportPages(client: pg.ClientBase, { admin }: Deployment) {
  const { rows } = await client.query<User>(
    `SELECT c.id, c.external_subject_id AS subject, j.id AS job, j.correlation_id AS correlation, a.id AS attempt
       FROM connect_attempt a JOIN connection c ON c.id = a.connection_id JOIN job j ON j.connection_id = c.id
       JOIN application p ON p.id = c.application_id AND p.slug = $2
      WHERE j.kind = 'SCAN' ORDER BY md5(c.id::text) LIMIT $1`,
    [SAMPLES, CLIENT],
  );
  const pages: { readonly name: string; readonly tookMs: readonly number[] }[] = [];
  for (const [name, query, variablesOf] of QUERIES) {
    const tookMs: number[] = [];
    for (const user of rows) {
      const begin = performance.now();
      const { errors } = await admin.panel.run(query, { ...variablesOf(user) });
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      tookMs.push(performance.now() - begin);
    }
    pages.push({ name, tookMs });
  }
  return pages;
}

const scopeOf = ({ subject }: User) => ({ clientSlug: CLIENT, tenantKey: TENANT, externalSubjectId: subject });
const byReference = `query($id: ID!) { findByReference(id: $id) { ${IDS} } }`;

const QUERIES: readonly (readonly [string, string, (user: User) => object])[] = [
  ["connections of a user", `query(${SCOPE}) { searchConnections(${SCOPED}) { items { id } ${PAGE} } }`, scopeOf],
  [
    "connect attempts of a user",
    `query(${SCOPE}) { searchConnectAttempts(${SCOPED}) { items { id } ${PAGE} } }`,
    scopeOf,
  ],
  ["by the id of a connection", byReference, ({ id }) => ({ id })],
  ["by the id of a connect attempt", byReference, ({ attempt }) => ({ id: attempt })],
  ["by the id of a job", byReference, ({ job }) => ({ id: job })],
  ["by the id of a request", byReference, ({ correlation }) => ({ id: correlation })],
  ["by an unknown id", byReference, () => ({ id: randomUUID() })],
  [
    "suggestions of users",
    "query($clientSlug: String!, $tenantKey: String, $startsWith: String!) { suggestUsers(clientSlug: $clientSlug, tenantKey: $tenantKey, startsWith: $startsWith) }",
    ({ subject }) => ({ clientSlug: CLIENT, tenantKey: TENANT, startsWith: subject.slice(0, -1) }),
  ],
  [
    "a user in all clients",
    "query($id: String!) { findPeople(externalSubjectId: $id) { clientSlug tenantKey } }",
    ({ subject }) => ({ id: subject }),
  ],
  ["what is stored about a user", `query(${SCOPE}) { person(${SCOPED}) { __typename } }`, scopeOf],
  [
    "opening a connection",
    'mutation($id: ID!) { viewConnection(id: $id, reason: "benchmark") { __typename } }',
    ({ id }) => ({ id }),
  ],
];
