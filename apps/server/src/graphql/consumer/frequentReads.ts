/** Root fields whose statement checks the key too, on connections that these reads share. */
export const FREQUENT_READS: ReadonlySet<string> = new Set([
  "connection",
  "connections",
  "connectSessionResult",
  "content",
  "contentItem",
  "syncJob",
]);
