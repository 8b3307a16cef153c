const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The limits of the service; durations in milliseconds. */
export const LIMITS = {
  operationsPerRequest: 1,
  aliases: 8,
  depth: 8,
  cost: 100,
  costOfRootField: 10,
  costOfNestedField: 1,
  bodyBytes: 65_536,
  scopeStringMaxLength: 128,
  connectionsPageMax: 100,
  connectionsPageDefault: 20,
  contentPageMax: 50,
  windowSpanMs: 90 * DAY,
  scanMaxItems: 100,
  scanMaxItemsDefault: 100,
  scanWindowDefaultMs: 7 * DAY,
  lookupUrlMaxLength: 2_048,
  /** Maximum length of a registered return URL. */
  returnUrlMaxLength: 2_048,
  /** How long a scan counts as recent, for syncStatus READY and PARTIAL and for completeForWindow. */
  scanFreshMs: 24 * HOUR,
  connectDeadlineMs: 10 * MINUTE,
  connectResultReadableMs: 24 * HOUR,
  identityDeadlineMs: 10 * MINUTE,
  identityResultReadableMs: 20 * MINUTE,
  unfinishedConnectAttempts: 5,
  unfinishedIdentityAttempts: 20,
  inFlightReadJobs: 20,
  inFlightReadJobsRetryAfterSeconds: 60,
  disconnectRaceRetryAfterSeconds: 1,
  contentRetentionMs: 30 * DAY,
  profileRetentionMs: 30 * DAY,
  continuationCursorMs: 24 * HOUR,
  jobReadableMs: 7 * DAY,
  activeApplicationKeys: 2,
  activeAdminKeys: 5,
  adminKeyLifetimeDays: { sandbox: 90, live: 30 },
  auditRetentionMs: 30 * DAY,
} as const;
