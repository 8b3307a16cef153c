import { createHash, randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { CLIENT, TENANT } from "./fill.ts";

const SAMPLES = 10;

export interface SupportPage {
  readonly name: string;
  /** One number for each user. */
  readonly tookMs: readonly number[];
}

interface User {
  readonly id: string;
  readonly subject: string;
  readonly job: string;
  readonly correlation: string;
  readonly attempt: string;
}

type Ask = (query: string, variables: object) => Promise<unknown>;

const IDS = "connections { id } erased { id } attempts { id }";
const PAGE = "pageInfo { endCursor hasNextPage }";
const SCOPE = "$clientSlug: String!, $tenantKey: String, $externalSubjectId: String!";
const SCOPED = "clientSlug: $clientSlug, tenantKey: $tenantKey, externalSubjectId: $externalSubjectId";

/** Asks what the support pages ask, for ten users, as the panel does. */
export async function supportPages(client: pg.Client, url: string): Promise<SupportPage[]> {
  const { rows } = await client.query<User>(
    `SELECT c.id, c.external_subject_id AS subject, j.id AS job, j.correlation_id AS correlation, a.id AS attempt
       FROM connect_attempt a JOIN connection c ON c.id = a.connection_id JOIN job j ON j.connection_id = c.id
       JOIN application p ON p.id = c.application_id AND p.slug = $2
      WHERE j.kind = 'SCAN' ORDER BY md5(c.id::text) LIMIT $1`,
    [SAMPLES, CLIENT],
  );
  const ask = await signIn(client, url);
  const pages: SupportPage[] = [];
  for (const [name, query, variablesOf] of QUERIES) {
    const tookMs: number[] = [];
    for (const user of rows) {
      const begin = performance.now();
      await ask(query, variablesOf(user));
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

/** The session of an admin in the panel, who has just signed in. */
async function signIn(client: pg.Client, url: string): Promise<Ask> {
  const [member, token] = [randomUUID(), randomBytes(32).toString("hex")];
  await client.query(
    `INSERT INTO admin_member (id, email, issuer, subject, added_at, added_by, bound_at)
     VALUES ($1, 'admin@example.test', 'https://issuer.example', 'admin', now(), 'System', now())`,
    [member],
  );
  await client.query(
    `INSERT INTO admin_session (id, member_id, token_hash, authenticated_at, created_at, last_seen_at, expires_at)
     VALUES (gen_random_uuid(), $1, $2, now(), now(), now(), now() + interval '8 hours')`,
    [member, createHash("sha256").update(token).digest()],
  );
  const cookie = `social-connect-panel=${token}`;
  const session = await fetch(`${url}/panel/session`, { headers: { cookie } });
  const { csrfToken } = (await session.json()) as { csrfToken: string };
  const headers = { "content-type": "application/json", origin: url, cookie, "x-csrf-token": csrfToken };
  return async (query, variables) => {
    const body = JSON.stringify({ query, variables });
    const response = await fetch(`${url}/panel/graphql`, { method: "POST", headers, body });
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
}
