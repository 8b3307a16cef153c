import { Prisma } from "../../_generated/prisma/client.ts";

type Client = Pick<Prisma.TransactionClient, "$queryRaw">;

/** A row of a table that is distributed by application. */
export interface OwnedRow {
  readonly applicationId: string;
}

/** Rows whose applications are stored on one shard. */
export interface ShardGroup<Row> {
  readonly applicationIds: readonly string[];
  readonly rows: readonly Row[];
}

/**
 * Groups rows by the shard of their application. Citus runs a statement that locks rows only if its condition on
 * `application_id` selects one shard: see `ownedBy`. A database that is not distributed is one group.
 */
export async function groupByShard<Row extends OwnedRow>(
  client: Client,
  rows: readonly Row[],
): Promise<ShardGroup<Row>[]> {
  if (rows.length === 0) return [];
  const applicationIds = [...new Set(rows.map(({ applicationId }) => applicationId))];
  const shards = applicationIds.length === 1 ? new Map<string, bigint>() : await shardsOf(client, applicationIds);
  const groups = new Map<bigint | undefined, { applicationIds: Set<string>; rows: Row[] }>();
  for (const row of rows) {
    const shard = shards.get(row.applicationId);
    const group = groups.get(shard) ?? { applicationIds: new Set(), rows: [] };
    group.applicationIds.add(row.applicationId);
    group.rows.push(row);
    groups.set(shard, group);
  }
  return [...groups.values()].map((group) => ({ ...group, applicationIds: [...group.applicationIds] }));
}

/** The condition that routes a statement to the shard of a group. */
export function ownedBy({ applicationIds }: Pick<ShardGroup<unknown>, "applicationIds">): Prisma.Sql {
  return Prisma.sql`application_id = ANY(${applicationIds}::uuid[])`;
}

/** Empty if the database is not distributed. Read each time, because shards move and split while the service runs. */
async function shardsOf(client: Client, applicationIds: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const [extension] = await client.$queryRaw<{ exists: boolean }[]>`
    SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS exists`;
  if (extension?.exists !== true) return new Map();
  const rows = await client.$queryRaw<{ id: string; shard: bigint }[]>`
    SELECT application.id, get_shard_id_for_distribution_column(logicalrelid, application.id) AS shard
      FROM pg_dist_partition, unnest(${applicationIds}::uuid[]) AS application(id)
     WHERE logicalrelid = 'connection'::regclass AND partmethod = 'h'`;
  return new Map(rows.map(({ id, shard }) => [id, shard]));
}
