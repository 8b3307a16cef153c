import { PROVIDER_FACTS, PROVIDERS, REVOKING } from "../description/providers.ts";
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
  "recent-connects": ["2,000 of an application within 10 minutes that were not completed", "code:RATE_LIMITED"],
  "unfinished-identities": ["20 per application", "code:RATE_LIMITED"],
  "read-jobs": ["20 in flight per application", "code:RATE_LIMITED"],
  "content-retention": ["observed within 30 days", "reason:EXPIRED"],
  "profile-retention": ["profile younger than 30 days", "operation:connection"],
  "continuation-cursor": ["scan less than 24 hours old", "code:BAD_USER_INPUT"],
  "job-readability": ["7 days", "code:NOT_FOUND"],
  "active-keys": ["2 per application", "http:200"],
});

const ATTEMPT = "enum:ConnectSessionStatus.";

function attempt(from: string, to: string, resultCode: string | null, text: string): Row {
  return {
    id: `transition:attempt.${from}.${to}${resultCode === null ? "" : `.${resultCode}`}`,
    source: "S3, decisions",
    text,
    witness: [`${ATTEMPT}${to}`, ...(resultCode === null ? [] : [`resultCode:${resultCode}`])],
  };
}

function move(kind: string, enumeration: string, from: string, to: string, text: string, seesFrom = true): Row {
  return {
    id: `transition:${kind}.${from}.${to}`,
    source: "S3, decisions",
    text,
    witness: [...(seesFrom && from !== "none" ? [`enum:${enumeration}.${from}`] : []), `enum:${enumeration}.${to}`],
  };
}

const connection = (from: string, to: string, text: string) => move("connection", "ConnectionStatus", from, to, text);
const job = (from: string, to: string, text: string, seesFrom = true) =>
  move("job", "JobStatus", from, to, text, seesFrom);

/** Part 3 and the tables of transitions on the decisions page. */
export const TRANSITION_ROWS: readonly Row[] = [
  attempt("CREATED", "AUTHORIZING", null, "launch token redeemed in time"),
  attempt("CREATED", "CANCELED", "SUPERSEDED", "a newer reconnect of the same connection is redeemed"),
  attempt("AUTHORIZING", "CANCELED", "USER_DENIED", "the user cancels at the consent pane"),
  attempt("AUTHORIZING", "CANCELED", "SUPERSEDED", "a newer reconnect of the same connection is redeemed"),
  attempt("CREATED", "CANCELED", "RECONNECT_TARGET_GONE", "the connection to reconnect is disconnected"),
  attempt("AUTHORIZING", "CANCELED", "RECONNECT_TARGET_GONE", "the connection to reconnect is disconnected"),
  attempt("CREATED", "CANCELED", "APPLICATION_DISABLED", "the application is disabled"),
  attempt("AUTHORIZING", "EXCHANGING", null, "callback with a code"),
  attempt("AUTHORIZING", "DENIED", "USER_DENIED", "callback with access_denied"),
  attempt("AUTHORIZING", "FAILED", "PROVIDER_ERROR", "callback with any other error"),
  attempt("EXCHANGING", "COMPLETED", null, "account read, a capability granted"),
  attempt("EXCHANGING", "DENIED", "NO_CAPABILITY_GRANTED", "no requested capability granted"),
  attempt("EXCHANGING", "FAILED", "NOT_A_TESTER", "not a tester"),
  attempt("EXCHANGING", "FAILED", "ACCOUNT_MISMATCH", "a reconnect with another account"),
  attempt("EXCHANGING", "FAILED", "EXCHANGE_FAILED", "exchange refused"),
  attempt("EXCHANGING", "FAILED", "PROVIDER_UNAVAILABLE", "exchange failing after limited retries"),
  attempt("EXCHANGING", "FAILED", "POLICY_CHANGED", "policy changed during the attempt"),
  attempt("CREATED", "FAILED", "POLICY_CHANGED", "the return URL is removed"),
  attempt("AUTHORIZING", "FAILED", "POLICY_CHANGED", "the return URL is removed"),
  attempt("CREATED", "EXPIRED", "DEADLINE_PASSED", "deadline passed"),
  attempt("AUTHORIZING", "EXPIRED", "DEADLINE_PASSED", "deadline passed"),
  attempt("EXCHANGING", "EXPIRED", "DEADLINE_PASSED", "deadline passed"),
  connection("none", "CONNECTED", "attempt COMPLETED"),
  connection("CONNECTED", "RECONNECT_REQUIRED", "the grant is revoked"),
  connection("CONNECTED", "SUSPENDED", "a sibling's revoke is in progress"),
  connection("SUSPENDED", "CONNECTED", "the revoke settled and the re-check passed"),
  connection("SUSPENDED", "RECONNECT_REQUIRED", "the revoke settled and the re-check failed"),
  connection("RECONNECT_REQUIRED", "CONNECTED", "reconnect COMPLETED"),
  connection("CONNECTED", "DISCONNECTED", "disconnectConnection"),
  connection("RECONNECT_REQUIRED", "DISCONNECTED", "disconnectConnection"),
  connection("SUSPENDED", "DISCONNECTED", "disconnectConnection"),
  connection("DISCONNECTED", "DELETING", "the erase job starts to delete"),
  {
    id: "transition:connection.DELETING.gone",
    source: "S3, decisions",
    text: "erase done: the row is deleted",
    witness: ["code:NOT_FOUND"],
  },
  job("QUEUED", "SUCCEEDED", "work done"),
  job("RUNNING", "QUEUED", "RUNNING to QUEUED with nextRetryAt", false),
  job("RUNNING", "FAILED", "work failed", false),
  job("RUNNING", "CANCELED", "the connection is disconnected", false),
  move("identity", "IdpIdentityStatus", "PENDING", "PENDING", "still pending: the proof is not consumed"),
  move("identity", "IdpIdentityStatus", "PENDING", "COMPLETED", "signed in"),
  move("identity", "IdpIdentityStatus", "PENDING", "DENIED", "access_denied", false),
  move("identity", "IdpIdentityStatus", "PENDING", "FAILED", "any other outcome", false),
  move("identity", "IdpIdentityStatus", "PENDING", "EXPIRED", "deadline passed", false),
];

/** Parts 2 to 5: rules that no single argument breaks. */
export const BEHAVIOUR_ROWS: readonly Row[] = [
  ...rules("S3", "rule:part3.", {
    "1.paused": ["a CONNECTED row with a paused registration: AUTHORIZATION_SUSPENDED", "code:AUTHORIZATION_SUSPENDED"],
    "1.grant": ["a grant no longer active: RECONNECT_REQUIRED", "code:RECONNECT_REQUIRED"],
    "1.not-served": ["a registration that no longer serves: CAPABILITY_UNAVAILABLE", "code:CAPABILITY_UNAVAILABLE"],
    "1.tenant": ["a tenant no longer allowed: FORBIDDEN", "code:FORBIDDEN"],
    "1.provider": ["a provider no longer allowed: FORBIDDEN", "code:FORBIDDEN"],
    "1.capability": ["a capability no longer allowed: FORBIDDEN", "code:FORBIDDEN"],
    "2.suspended": [
      "a SUSPENDED row: null profile, every capability UNAVAILABLE for AUTHORIZATION_SUSPENDED",
      "enum:ConnectionStatus.SUSPENDED",
      "reason:AUTHORIZATION_SUSPENDED",
    ],
    "2.reconnect-required": [
      "a RECONNECT_REQUIRED row: null profile, every capability UNAVAILABLE for RECONNECT_REQUIRED",
      "enum:ConnectionStatus.RECONNECT_REQUIRED",
      "reason:RECONNECT_REQUIRED",
    ],
    "3": ["a connection that was erased or belongs to another scope: NOT_FOUND", "code:NOT_FOUND"],
    "4.grant": [
      "connections: a lost grant shows RECONNECT_REQUIRED",
      "reason:RECONNECT_REQUIRED",
      "enum:SyncStatus.STALE",
    ],
    "4.paused": ["connections: paused shows SUSPENDED", "reason:AUTHORIZATION_SUSPENDED", "enum:SyncStatus.STALE"],
    "4.not-served": [
      "connections: not served shows SUSPENDED",
      "reason:CAPABILITY_UNAVAILABLE",
      "enum:SyncStatus.STALE",
    ],
    "4.policy": ["connections: against policy shows SUSPENDED", "reason:FORBIDDEN", "enum:SyncStatus.STALE"],
    "5": ["a disconnected connection stays listed until it is erased", "enum:ConnectionStatus.DISCONNECTED"],
    "6": ["a reconnect target that is DISCONNECTED: DISCONNECT_IN_PROGRESS", "code:DISCONNECT_IN_PROGRESS"],
  }),
  ...rules("S2", "field:", {
    "Connection.id": ["stays the same across reconnects", "enum:ConnectionStatus.CONNECTED"],
    "Connection.providerAccountId": ["channel id, open id, user id", "operation:connection"],
    "Connection.capabilities": ["one entry for each granted capability", "operation:connection"],
    "CapabilityState.not-served": ["a capability that the registration does not serve is not available"],
    "Connection.profile": ["null without PROFILE", "operation:connection"],
    "Connection.lastSuccessfulSyncAt": ["null unless CONNECTED", "operation:connections"],
    "IntegrationReadiness.providers": ["one entry for each provider", "operation:integrationReadiness"],
    "IntegrationReadiness.could-start": [
      "available only where an attempt could start now",
      "operation:integrationReadiness",
    ],
    "IntegrationReadiness.idpIdentityAvailable": [
      "whether the identity handoff can be started",
      "operation:integrationReadiness",
    ],
    "ConnectSessionResult.connectionId": ["set when COMPLETED, else null", "enum:ConnectSessionStatus.COMPLETED"],
    "ConnectSessionResult.creatorAction": [
      "REMOVE_APP_AT_PROVIDER when a grant may remain",
      "enum:ConnectCreatorAction.REMOVE_APP_AT_PROVIDER",
    ],
    "Connection.nextRetryAt": ["set while a failed sync waits to retry", "enum:SyncStatus.FAILED"],
    ...Object.fromEntries(
      PROVIDERS.flatMap((provider) =>
        PROVIDER_FACTS[provider].absentFields.map((name) => [
          `ContentItem.${name}`,
          [`always null for ${provider}`, `enum:SocialProvider.${provider}`],
        ]),
      ),
    ),
    "ContentItem.metrics": ["empty unless the connection has CONTENT_METRICS", "operation:content"],
    "Metric.never-estimated": ["a missing metric is null, never 0", "enum:Availability.UNSUPPORTED"],
    "ContentPage.order": ["newest first", "operation:content"],
    "ContentPage.lastSuccessfulSyncAt": ["the connection's last successful sync", "operation:content"],
    "ContentPage.window": ["only posts published inside the window", "operation:content"],
    "ContentPage.stable": ["pages stay stable while posts arrive", "operation:content"],
    "ContentPage.complete": ["completeForWindow only after a recent scan of the whole window", "operation:content"],
    "ConnectSession.launchToken": ["64 hexadecimal characters", "operation:createConnectSession"],
    "SyncJob.continuationCursor": ["on a successful incomplete scan", "operation:requestRefresh"],
    "SyncJob.nextRetryAt": ["set while waiting to retry", "operation:syncJob"],
    "IdpIdentityResult.null": ["fields are null unless COMPLETED", "operation:redeemIdpIdentityResult"],
  }),
  ...rules("S4", "rule:disconnect.", {
    "access-stops": ["access stops immediately", "code:NOT_FOUND"],
    "jobs-in-flight": ["jobs in flight are canceled", "enum:JobStatus.CANCELED"],
    idempotent: ["a repeat returns the same job ids", "operation:disconnectConnection"],
    ...Object.fromEntries(
      REVOKING.map((provider) => [
        `creatorAction.${provider.slice(-1)}`,
        [`null for ${provider}`, `input:SocialProvider.${provider}`, "operation:disconnectConnection"],
      ]),
    ),
    "creatorAction.C": ["REMOVE_APP_AT_PROVIDER for PROVIDER_C", "enum:ConnectCreatorAction.REMOVE_APP_AT_PROVIDER"],
    "creatorAction.C-removed": ["null when the app was already removed", "operation:disconnectConnection"],
    siblings: ["other accounts of the provider are SUSPENDED and re-checked", "enum:ConnectionStatus.SUSPENDED"],
    settling: ["createConnectSession is FORBIDDEN until it is settled", "code:FORBIDDEN"],
    race: ["RATE_LIMITED for a second during continuous connects, and nothing changed", "code:RATE_LIMITED"],
    erased: ["NOT_FOUND after erasure", "code:NOT_FOUND"],
    receipts: ["receipts are readable when the connection is erased", "operation:syncJob"],
  }),
  ...rules("S4", "transport:", {
    "post-only": ["only POST is served", "http:405"],
    json: ["only a JSON body"],
    introspection: ["no introspection", "code:BAD_USER_INPUT"],
    suggestions: ["no suggestions in messages", "code:BAD_USER_INPUT"],
    "first-error": ["only the first validation error, in at most 2 KB", "code:BAD_USER_INPUT"],
    cors: ["CORS is not enabled"],
    "schema-text": ["the schema text is published", "http:200"],
    launch: ["a launch form posts the token once, from the application's origins only", "page:303"],
    "return-parameters": ["the redirect has ss_session_id and ss_status", "page:303"],
    "idempotency-key": ["a call that is repeated with its idempotency key takes effect once", "http:200"],
    "error-pages": ["error pages are HTML, without internals", "page:410"],
  }),
  ...rules("S5", "auth:", {
    "no-key-for-status": ["status needs no key", "operation:status"],
    shape: ["anything but Bearer <uuid>.<64 hex> is UNAUTHENTICATED", "code:UNAUTHENTICATED"],
    missing: ["no key is UNAUTHENTICATED", "code:UNAUTHENTICATED"],
    unknown: ["an unknown key is UNAUTHENTICATED", "code:UNAUTHENTICATED"],
    revoked: ["a revoked key is UNAUTHENTICATED at the next call", "code:UNAUTHENTICATED"],
    expired: ["an expired key is UNAUTHENTICATED", "code:UNAUTHENTICATED"],
    indistinguishable: ["the cases are indistinguishable", "code:UNAUTHENTICATED"],
    disabled: ["a valid key of a disabled application is FORBIDDEN", "code:FORBIDDEN"],
    "foreign-application": ["another application sees nothing", "code:NOT_FOUND"],
    "foreign-subject": ["another subject sees nothing", "code:NOT_FOUND"],
    "tenant-forbidden": ["an unregistered tenant is FORBIDDEN where the decisions require it", "code:FORBIDDEN"],
    "tenant-not-found": ["an unregistered tenant is NOT_FOUND where an id is named", "code:NOT_FOUND"],
  }),
];
