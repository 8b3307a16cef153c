/**
 * The limit: hand-written reads on plain `node:http` and `pg`, each in one statement that also checks the key and the scope.
 * It has no GraphQL, no rules of access, no completeness of a page and no encrypted cursor. Runs as a separate process:
 * `DATABASE_URL`, `PORT`.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

interface Variables {
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly id: string;
  readonly connectionId: string;
  readonly providerContentId: string;
  readonly window: { readonly publishedAfter: string; readonly publishedBefore: string; readonly first: number };
}

interface Row {
  readonly secretHash: Buffer;
  readonly id: string | null;
  readonly [column: string]: unknown;
}

interface Read {
  readonly name: string;
  readonly columns: string;
  readonly join: string;
  readonly values: readonly unknown[];
  /** The `data` of the response. */
  readonly show: (row: Row) => unknown;
}

const SUBJECT_CONDITION = "application_id = a.id AND c.tenant_key = $2 AND c.external_subject_id = $3";
const CONNECTION = `LEFT JOIN connection c ON c.${SUBJECT_CONDITION} AND c.id = $4`;
const LINK = `c.provider, c.provider_account_id AS "providerAccountId", c.status, c.sync_status AS "syncStatus",
  c.last_successful_sync_at AS "lastSuccessfulSyncAt", c.capabilities::text[] AS capabilities,
  c.display_name AS "displayName", c.handle, c.profile_observed_at AS "observedAt"`;
const POST = `p.id, p.provider_content_id AS "providerContentId", p.kind, p.canonical_url AS "canonicalUrl", p.title,
  p.published_at AS "publishedAt", p.metrics`;

const READS: Readonly<Record<string, (variables: Variables) => Read>> = {
  "/content": ({ scope, connectionId, window: { publishedAfter, publishedBefore, first } }) => ({
    name: `content.${first}`,
    columns: `c.id, (SELECT json_agg(post) FROM (
      SELECT ${POST} FROM content_item p WHERE p.connection_id = c.id AND p.published_at >= $5 AND p.published_at < $6
       ORDER BY p.published_at DESC, p.id DESC LIMIT ${first + 1}) post) AS posts`,
    join: CONNECTION,
    values: [scope.tenantKey, scope.externalSubjectId, connectionId, publishedAfter, publishedBefore],
    show: ({ posts }) => {
      const items = ((posts ?? []) as { id: string; metrics: Metric[] }[]).slice(0, first).map(showPost);
      const hasNextPage = (posts as unknown[]).length > first;
      return { content: { items, pageInfo: { endCursor: items.at(-1)?.id ?? null, hasNextPage } } };
    },
  }),
  "/contentItem": ({ scope, connectionId, providerContentId }) => ({
    name: "contentItem",
    columns: `c.id, (SELECT row_to_json(post) FROM (
      SELECT ${POST} FROM content_item p WHERE p.connection_id = c.id AND p.provider_content_id = $5) post) AS post`,
    join: CONNECTION,
    values: [scope.tenantKey, scope.externalSubjectId, connectionId, providerContentId],
    show: ({ post }) => ({ contentItem: post && showPost(post as { metrics: Metric[] }) }),
  }),
  "/connection": ({ scope, id }) => ({
    name: "connection",
    columns: `c.id, ${LINK}`,
    join: CONNECTION,
    values: [scope.tenantKey, scope.externalSubjectId, id],
    show: (row) => ({ connection: showConnection(row) }),
  }),
  "/connections": ({ scope }) => ({
    name: "connections",
    columns: `a.id, (SELECT json_agg(one) FROM (
      SELECT c.id, ${LINK} FROM connection c WHERE c.${SUBJECT_CONDITION} ORDER BY c.created_at, c.id LIMIT 21) one) AS connections`,
    join: "",
    values: [scope.tenantKey, scope.externalSubjectId],
    show: ({ connections }) => {
      const items = ((connections ?? []) as Row[]).slice(0, 20).map(showConnection);
      const hasNextPage = (connections as unknown[]).length > 20;
      return { connections: { items, pageInfo: { endCursor: items.at(-1)?.id ?? null, hasNextPage } } };
    },
  }),
  "/syncJob": ({ scope, connectionId, id }) => ({
    name: "syncJob",
    columns: `j.id, j.status, j.error_code AS "errorCode", j.complete_for_window AS "completeForWindow",
      j.incomplete_reason AS "incompleteReason"`,
    join: `LEFT JOIN job j ON j.application_id = a.id AND j.scope_hash = $2 AND j.connection_id = $3 AND j.id = $4`,
    values: [hash(JSON.stringify([connectionId, ...Object.values(scope)])), connectionId, id],
    show: ({ id: jobId, status, errorCode, completeForWindow, incompleteReason }) => ({
      syncJob: { id: jobId, status, errorCode, completeForWindow, incompleteReason },
    }),
  }),
  "/connectSessionResult": ({ scope, id }) => ({
    name: "connectSessionResult",
    columns: `c.id, c.status, c.result_code AS "resultCode", c.connection_id AS "connectionId", c.expires_at AS "expiresAt"`,
    join: `LEFT JOIN connect_attempt c ON c.${SUBJECT_CONDITION} AND c.id = $4`,
    values: [scope.tenantKey, scope.externalSubjectId, id],
    show: ({ id: attemptId, status, resultCode, connectionId, expiresAt }) => ({
      connectSessionResult: { id: attemptId, status, resultCode, connectionId, expiresAt },
    }),
  }),
};

interface Metric {
  readonly name: string;
  readonly value: string | null;
  readonly availability: string;
}

function showPost<Post extends { readonly metrics: readonly Metric[] }>(post: Post) {
  return { ...post, metrics: post.metrics.map(({ name, value, availability }) => ({ name, value, availability })) };
}

function showConnection({ id, provider, providerAccountId, status, syncStatus, lastSuccessfulSyncAt, ...row }: Row) {
  return {
    ...{ id, provider, providerAccountId, status, syncStatus, lastSuccessfulSyncAt },
    capabilities: (row["capabilities"] as string[]).map((capability) => ({ capability, availability: "AVAILABLE" })),
    profile: { displayName: row["displayName"], handle: row["handle"], observedAt: row["observedAt"] },
  };
}

async function respond(authorization: string, path: string, body: string): Promise<unknown> {
  const [keyId, secret = ""] = authorization.slice("Bearer ".length).split(".");
  const { variables } = JSON.parse(body) as { variables: Variables };
  const read = READS[path]?.(variables);
  if (read === undefined) throw new Error(`nothing is read at ${path}`);
  const { rows } = await pool.query<Row>({
    name: read.name,
    text: `SELECT k.secret_hash AS "secretHash", ${read.columns}
             FROM application_key k JOIN application a ON a.id = k.application_id AND a.enabled ${read.join}
            WHERE k.id = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
    values: [keyId, ...read.values],
  });
  const [row] = rows;
  if (row === undefined || !timingSafeEqual(hash(secret), row.secretHash)) throw new Error("wrong key");
  if (row.id === null) throw new Error("not found");
  return { data: read.show(row) };
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const text = Buffer.concat(chunks).toString();
    const body = JSON.stringify(await respond(request.headers.authorization ?? "", request.url ?? "", text));
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    response.writeHead(200, headers).end(body);
  });
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
