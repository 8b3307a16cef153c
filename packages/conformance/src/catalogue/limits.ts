import type { Row } from "../harness/coverage.ts";
import { rules } from "./rows.ts";

/** Part 8, the rows of the consumer API. */
export const LIMIT_ROWS: readonly Row[] = rules("S8", "limit:", {
  operations: ["1 operation per request, batches rejected", "http:400", "code:BAD_USER_INPUT"],
  aliases: ["8 aliases", "http:400", "code:BAD_USER_INPUT"],
  depth: ["field depth 8", "http:400", "code:BAD_USER_INPUT"],
  cost: ["cost 100: each root field 10, each nested field 1", "http:400", "code:BAD_USER_INPUT"],
  body: ["JSON body of 64 KiB", "http:413"],
  "scope-strings": ["1 to 128 characters each", "code:BAD_USER_INPUT"],
  "connections-page": ["1 to 100, default 20", "operation:connections", "code:BAD_USER_INPUT"],
  "content-page": ["1 to 50", "operation:content", "code:BAD_USER_INPUT"],
  "window-span": ["at most 90 days", "code:BAD_USER_INPUT"],
  "max-items": ["1 to 100, default 100", "operation:requestRefresh", "code:BAD_USER_INPUT"],
  "default-window": ["the last 7 days", "operation:requestRefresh"],
  "lookup-url": ["at most 2,048 characters", "operation:requestContentLookup", "code:BAD_USER_INPUT"],
  "connect-deadline": ["10 minutes from creation", "enum:ConnectSessionStatus.EXPIRED"],
  "connect-readability": ["24 hours from creation", "code:NOT_FOUND"],
  "identity-deadline": ["10 minutes from creation", "enum:IdpIdentityStatus.EXPIRED"],
  "identity-readability": ["20 minutes from creation", "code:NOT_FOUND"],
  "unfinished-connects": ["5 per subject and provider", "code:RATE_LIMITED"],
  "unfinished-identities": ["20 per application", "code:RATE_LIMITED"],
  "read-jobs": ["20 in flight per application", "code:RATE_LIMITED"],
  "content-retention": ["observed within 30 days", "reason:EXPIRED"],
  "profile-retention": ["profile younger than 30 days", "operation:connection"],
  "continuation-cursor": ["scan less than 24 hours old", "code:BAD_USER_INPUT"],
  "job-readability": ["7 days", "code:NOT_FOUND"],
  "active-keys": ["2 per application", "http:200"],
});
