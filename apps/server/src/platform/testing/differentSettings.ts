/** For each setting that the service depends on, a value of a database that differs. As in `SET`. */
export const DIFFERENT_VALUES: Readonly<Record<string, string>> = {
  TimeZone: "'America/Los_Angeles'",
  DateStyle: "'German'",
  IntervalStyle: "'iso_8601'",
  search_path: '"other", public',
  client_encoding: "'LATIN1'",
  bytea_output: "'escape'",
  standard_conforming_strings: "off",
  extra_float_digits: "-15",
  transform_null_equals: "on",
  array_nulls: "off",
  quote_all_identifiers: "on",
  default_transaction_isolation: "'serializable'",
  default_table_access_method: "'other_heap'",
  exit_on_error: "on",
  statement_timeout: "'900ms'",
  lock_timeout: "'1ms'",
  idle_in_transaction_session_timeout: "'1s'",
  idle_session_timeout: "'1s'",
  transaction_timeout: "'2s'",
};

/** What these values name; in a database that has it already, nothing changes. */
export const DIFFERENT_OBJECTS: readonly string[] = [
  "CREATE SCHEMA IF NOT EXISTS other",
  "DROP ACCESS METHOD IF EXISTS other_heap",
  "CREATE ACCESS METHOD other_heap TYPE TABLE HANDLER heap_tableam_handler",
];

/** Values that must not matter, in addition to the settings that the service sets. As in `SET`. */
export const OTHER_SETTINGS: Readonly<Record<string, string>> = {
  synchronous_commit: "off",
  plan_cache_mode: "force_custom_plan",
  enable_seqscan: "off",
  enable_indexscan: "off",
  enable_hashjoin: "off",
  enable_nestloop: "off",
  jit: "on",
  jit_above_cost: "0",
  check_function_bodies: "off",
  backslash_quote: "off",
  escape_string_warning: "off",
  xmloption: "document",
  row_security: "off",
  client_min_messages: "error",
  lc_numeric: "'C'",
  work_mem: "'64kB'",
  default_statistics_target: "1",
  default_transaction_deferrable: "on",
  default_toast_compression: "pglz",
  timezone_abbreviations: "'India'",
  from_collapse_limit: "1",
  max_parallel_workers_per_gather: "0",
  password_encryption: "md5",
  vacuum_freeze_min_age: "0",
  default_text_search_config: "'pg_catalog.german'",
};
