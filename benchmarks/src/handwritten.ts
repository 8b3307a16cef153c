/**
 * The baseline: each read over plain `node:http` and `pg`, with the key check and no other work of the service. Runs as
 * a separate process: `DATABASE_URL`, `PORT`.
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

const POST = "id, provider_content_id, kind, canonical_url, title, published_at, metrics";
const LINK = `id, provider, provider_account_id, status, sync_status, last_successful_sync_at, capabilities::text[], display_name,
  handle, profile_observed_at`;

const READS: Readonly<Record<string, (variables: Variables) => { text: string; values: unknown[] }>> = {
  "/content": ({ connectionId, window }) => ({
    text: `SELECT ${POST} FROM content_item WHERE connection_id = $1 AND published_at >= $2 AND published_at < $3
            ORDER BY published_at DESC, id DESC LIMIT $4`,
    values: [connectionId, window.publishedAfter, window.publishedBefore, window.first],
  }),
  "/contentItem": ({ connectionId, providerContentId }) => ({
    text: `SELECT ${POST} FROM content_item WHERE connection_id = $1 AND provider_content_id = $2`,
    values: [connectionId, providerContentId],
  }),
  "/connection": ({ id }) => ({ text: `SELECT ${LINK} FROM connection WHERE id = $1`, values: [id] }),
  "/connections": ({ scope }) => ({
    text: `SELECT ${LINK} FROM connection WHERE tenant_key = $1 AND external_subject_id = $2 ORDER BY created_at, id LIMIT 20`,
    values: [scope.tenantKey, scope.externalSubjectId],
  }),
  "/job": ({ id }) => ({
    text: "SELECT id, status, error_code, complete_for_window, incomplete_reason FROM job WHERE id = $1",
    values: [id],
  }),
  "/session": ({ id }) => ({
    text: "SELECT id, status, result_code, connection_id, expires_at FROM connect_attempt WHERE id = $1",
    values: [id],
  }),
};

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const [id, secret = ""] = request.headers.authorization?.slice("Bearer ".length).split(".") ?? [];
    const { variables } = JSON.parse(Buffer.concat(chunks).toString()) as { variables: Variables };
    const key = await pool.query({
      name: "key",
      text: "SELECT secret_hash FROM application_key WHERE id = $1",
      values: [id],
    });
    if (!timingSafeEqual(createHash("sha256").update(secret).digest(), key.rows[0].secret_hash))
      throw new Error("wrong key");
    const path = request.url ?? "";
    const statement = READS[path]?.(variables);
    if (statement === undefined) throw new Error(`nothing is read at ${path}`);
    const { rows } = await pool.query({ name: path, ...statement });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: { items: rows } }));
  });
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
