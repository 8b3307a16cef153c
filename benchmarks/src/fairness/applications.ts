import { createHash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { seed } from "../reads/seed.ts";

export interface SeededApplication {
  readonly key: string;
  readonly scope: { readonly tenantKey: string; readonly externalSubjectId: string };
  readonly connectionId: string;
}

/** Applications with a scanned connection of 240 posts each. */
export async function seedApplications(url: string, number: number): Promise<SeededApplication[]> {
  const first = await seed(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const applications: SeededApplication[] = [first];
    while (applications.length < number) applications.push(await copy(client, first));
    await client.query("ANALYZE");
    return applications;
  } finally {
    await client.end();
  }
}

async function copy(client: pg.Client, { connectionId, scope }: SeededApplication): Promise<SeededApplication> {
  const [application, keyId, own] = [randomUUID(), randomUUID(), randomUUID()];
  const secret = randomBytes(32).toString("hex");
  await client.query(
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     SELECT $1::uuid, 'bench-' || $1::uuid, display_name, providers, capabilities, tenant_keys, now(), now()
       FROM application WHERE slug = 'bench'`,
    [application],
  );
  await client.query(
    "INSERT INTO application_key (id, application_id, secret_hash, created_at) VALUES ($1, $2, $3, now())",
    [keyId, application, createHash("sha256").update(secret).digest()],
  );
  await copyRow(client, "connection", connectionId, { id: own, application_id: application });
  for (const table of ["provider_grant", "content_item", "job"]) {
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM ${table} WHERE connection_id = $1`, [
      connectionId,
    ]);
    for (const { id } of rows) {
      await copyRow(client, table, id, { id: randomUUID(), application_id: application, connection_id: own });
    }
  }
  return { key: `${keyId}.${secret}`, scope, connectionId: own };
}

async function copyRow(client: pg.Client, table: string, id: string, over: Record<string, string>): Promise<void> {
  await client.query(
    `INSERT INTO ${table} SELECT copied.* FROM ${table} AS row,
       jsonb_populate_record(row, $2::jsonb) AS copied WHERE row.id = $1`,
    [id, JSON.stringify(over)],
  );
}
