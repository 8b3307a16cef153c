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
