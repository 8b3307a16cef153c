/** Ids, times, numbers, states and truth values. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ...["uuid", "bool", "int2", "int4", "int8", "float4", "float8", "numeric"],
  ...["date", "timestamp", "timestamptz", "interval"],
]);

/** Strings that the service writes itself. */
const CODES: ReadonlySet<string> = new Set([
  "public._prisma_migrations.migration_name",
  "public.application.slug",
  "public.audit_entry.action",
  "public.audit_entry.target_type",
  "public.connect_attempt.result_code",
  "public.encryption_key_check.key_id",
  "public.job.error_code",
  "public.job.incomplete_reason",
  "public.provider_quota.budget",
  "public.rollup.code",
  "public.rollup.kind",
  "public.rollup.outcome",
  "public.rollup.provider",
  "public.rollup.series",
  "public.sweep_state.error",
  "public.sweep_state.name",
  "pgboss.job.name",
  "pgboss.queue.name",
  "pgboss.queue.policy",
]);

export interface Column {
  /** `schema.table`, without quotes. */
  readonly table: string;
  readonly column: string;
  /** As in pg_type. */
  readonly type: string;
  readonly isEnum: boolean;
}

/**
 * Whether the monitoring role may read a column. Every other text, and everything binary or nested, can be a credential, a hash or
 * personal data, also in a later migration.
 */
export function isReadableByMonitor({ table, column, type, isEnum }: Column): boolean {
  return isEnum || PLAIN_TYPES.has(type) || CODES.has(`${table}.${column}`);
}

export function listMonitorCodes(): readonly string[] {
  return [...CODES];
}
