import { LIMITS } from "@social-connect/contract";
import { durationText, MOST_RECENT_ATTEMPTS } from "@social-connect/domain";
/** A behavior that callers can observe and that the contract does not specify. */
export interface Assumption {
  /** Unique and stable. */
  readonly id: string;
  /** The behavior of the service. */
  readonly says: string;
  /** The part of the service description that does not specify it. */
  readonly leftOpenIn: string;
  /** `off`: strict mode disables it. `kept`: strict mode cannot disable it without failing the operation. */
  readonly inStrictMode: "off" | "kept";
  /** The behavior in strict mode, or the reason why it is the same. */
  readonly meaning: string;
}

/** Replaces a string in strict mode when the contract does not specify the value. */
export const UNSPECIFIED = "UNSPECIFIED";

type Texts = readonly [leftOpenIn: string, says: string, meaning: string];

const OFF: Readonly<Record<string, Texts>> = {
  "return-parameters": [
    "part 4, transport: the redirect back to the returnUrl",
    "The browser is redirected to the returnUrl with the parameters ss_session_id and ss_status.",
    "The browser is redirected to the unchanged returnUrl.",
  ],
  "result-codes": [
    "part 7: values of resultCode",
    "ConnectSessionResult.resultCode is one of CONNECT_RESULT_CODES.",
    "A resultCode is UNSPECIFIED. Use the status.",
  ],
  "creator-action-of-attempts": [
    "part 2, ConnectSessionResult: when creatorAction is set",
    "An attempt that failed after consent has REMOVE_APP_AT_PROVIDER when the grant could not be revoked.",
    "creatorAction of a ConnectSessionResult is null. The contract specifies it for a disconnect and its receipt.",
  ],
  "job-error-codes": [
    "part 7: values of errorCode",
    "SyncJob.errorCode is one of JOB_ERROR_CODES.",
    "An errorCode is UNSPECIFIED. Use the status.",
  ],
  "incomplete-reasons": [
    "part 2, SyncJob and PageInfo: values of incompleteReason",
    "incompleteReason is one of PAGE_INCOMPLETE_REASONS or, after a lookup, a reason of the post.",
    "An incompleteReason is UNSPECIFIED. Use completeForWindow.",
  ],
  "reasons-of-capabilities": [
    "part 2, CapabilityState: values of reason",
    "A disconnected connection's capabilities have the reason DISCONNECT_IN_PROGRESS.",
    "Reasons other than the codes of part 3 are UNSPECIFIED. Use the availability.",
  ],
  "reasons-of-posts": [
    "part 2, ContentItem: values of reason",
    "An unavailable post has the reason DELETED_AT_PROVIDER or PRIVATE_AT_PROVIDER.",
    "Reasons other than EXPIRED are UNSPECIFIED. Use the availability.",
  ],
  "reasons-of-metrics": [
    "part 2, MetricObservation: values of reason",
    "A missing value always has a reason: METRIC_NOT_OFFERED, METRIC_HIDDEN, METRIC_NOT_GIVEN, NOT_GRANTED or EXPIRED.",
    "A reason is UNSPECIFIED. Use the availability.",
  ],
  "source-fields": [
    "part 2, MetricObservation: values of sourceField",
    "sourceField names the provider's own field.",
    "sourceField is null.",
  ],
  messages: [
    "part 7: the wording of messages",
    "Each message describes the error in a sentence.",
    "Every error message, and the message of `status`, is UNSPECIFIED. Use the code.",
  ],
  "correlation-id-header": [
    "part 4, transport: the headers of a response",
    "Every response of the GraphQL endpoints has the header x-correlation-id, equal to the correlationId of its errors.",
    "Only errors have a correlationId.",
  ],
  "wait-for-unfinished-attempts": [
    "part 7: retryAfterSeconds where relevant",
    "The sixth unfinished attempt is refused with retryAfterSeconds until the deadline of the oldest.",
    "It is refused without retryAfterSeconds, which the table of codes does not list.",
  ],
  "idempotency-keys": [
    "part 4, transport: the headers of a request",
    "createConnectSession, createIdpIdentitySession and redeemIdpIdentityResult, repeated within a minute with the same header x-social-connect-idempotency-key, return the first response again.",
    "The header is ignored: each call is a new one.",
  ],
  "reads-without-asking": [
    "part 3: transitions of syncStatus",
    "Posts are scanned when an account is linked, and daily after that.",
    "Only requestRefresh starts scans. The profile is still read, because no operation requests it.",
  ],
  "conflict-reasons": [
    "part 7, admin codes: the reason beside CONFLICT is sometimes present",
    "CONFLICT has one of CONFLICT_REASONS.",
    "CONFLICT has no reason.",
  ],
};

const KEPT: Readonly<Record<string, Texts>> = {
  "requests-beyond-the-description": [
    "part 4, transport, and part 7: what makes a query invalid",
    "Other media types, introspection, subscriptions, and documents of more than 1,500 tokens are invalid too. The admin API has the limits of the consumer API, with a cost of 300.",
    "These rules only refuse requests. Additions of client libraries are accepted: a charset, an operationName, `__typename`.",
  ],
  "first-validation-error": [
    "part 7: the errors array of an invalid query",
    "Only the first of several errors in a document or its variables is returned, with a message of at most 300 characters.",
    "An invalid document always fails. The contract does not require a second error.",
  ],
  "texts-and-moments": [
    "part 2, scalars and input types",
    "A string argument contains no NUL and no lone surrogate, lengths count code points, and a DateTime has an offset and a year from 1 to 9999.",
    "Invalid arguments stay invalid in strict mode.",
  ],
  "ends-of-windows": [
    "part 4, content: posts published inside the window",
    "A window includes its start and excludes its end, and a deadline has passed at its exact millisecond.",
    "Each boundary is either inclusive or exclusive.",
  ],
  "complete-for-window": [
    "part 2, PageInfo: a recent successful scan",
    `A scan is recent for ${durationText(LIMITS.scanFreshMs)}, and adjoining scans are combined.`,
    "The field is never null, and true is the stricter value.",
  ],
  "provider-quotas": [
    "part 4, requestRefresh: when a job waits",
    "The service limits its own calls to a provider, and each application has a share of that limit. A job without a share waits as QUEUED with a nextRetryAt. The mock counts no calls: a job waits like this after a rate limit of its provider.",
    "The fields of a waiting job do not depend on what it waits for.",
  ],
  "which-refusal": [
    "part 7: codes of arguments that do not go together",
    "A post with a window or cursor, a reversed window, and an invalid or expired cursor are BAD_USER_INPUT. Metrics of an unknown post are NOT_FOUND, and so is a wrong proof, which consumes nothing. Authentication errors precede argument errors, and those precede errors of the record.",
    "The operation has to fail with one of the codes.",
  ],
  "launch-form-field": [
    "part 4, transport: the name of the form field",
    "The launch token is posted in the form field launchToken.",
    "The field needs a name, and any other name would accept forms that the service refuses.",
  ],
  "launch-origin-and-browser": [
    "part 3: moves of an attempt in the browser",
    "A launch form is posted from an origin of the application, and the callback arrives from the browser of the launch.",
    "These rules only refuse requests, and strict mode never accepts more.",
  ],
  "consent-pane": [
    "part 3: moves of an attempt in the browser",
    "GET /api/connect/consent?attempt=<id> lets the browser that launched an attempt continue or cancel it.",
    "Only the person's own browser sees the page, and an attempt whose window was closed would otherwise count until its deadline.",
  ],
  "requests-ahead": [
    "part 4, transport: the browser side",
    "HEAD and prefetches of launch addresses and callbacks get 204 or 425 and change nothing.",
    "Only a person's own request may use a token or a code.",
  ],
  "error-pages": [
    "part 4, transport: the browser side",
    "An error in the browser shows a page with a status from 400 to 503.",
    "The person needs a page. The contract does not specify its wording.",
  ],
  "attempt-moves": [
    "part 3: other moves of an attempt, and when it is DENIED, FAILED or CANCELED",
    "The transitions are those of CONNECT_ATTEMPT_TRANSITIONS; for example, a superseded reconnect is CANCELED.",
    "Every attempt ends with one of the statuses of part 2.",
  ],
  "identity-moves": [
    "part 3: other transitions of the identity result",
    "A user who declines is DENIED, every other error is FAILED, and an unfinished session is EXPIRED at its deadline.",
    "Every session ends with one of the statuses of part 2.",
  ],
  "account-connected-again": [
    "part 2, Connection: the id stays the same across reconnects",
    "An account that the subject has already linked keeps its connection, with or without a reconnect target, and gets the capabilities of the latest consent.",
    "The alternative would be two connections of one account and subject, and part 2 allows one.",
  ],
  testers: [
    "part 1: only tester accounts connect in sandbox mode",
    "An attempt of any other account is FAILED, and no credential is stored. In a mock, every account except `not-a-tester` is a tester until a tester is added.",
    "The attempt has to end with one of the statuses of part 2.",
  ],
  "attempts-of-an-application": [
    "part 7, RATE_LIMITED: its causes",
    `An application can have ${MOST_RECENT_ATTEMPTS.toLocaleString("en")} attempts at connecting that were created in the last 10 minutes and not completed, and as many at the identity handoff. The next attempt is refused: RATE_LIMITED with retryAfterSeconds.`,
    "Creating an attempt can be RATE_LIMITED. A client that waits for retryAfterSeconds needs no other handling.",
  ],
  "calls-in-progress": [
    "part 7, RATE_LIMITED: its causes",
    "Too many calls of an application at the same time wait for a few seconds, and the excess is refused: RATE_LIMITED with retryAfterSeconds. A mock runs calls one after another, so it never refuses one for this.",
    "Every operation with an application key can be RATE_LIMITED. A client that waits for retryAfterSeconds needs no other handling.",
  ],
  "retries-of-jobs": [
    "part 3: transitions of a job",
    "Transient failures are retried after the provider's Retry-After or with exponential backoff, up to a limit. Reads of a provider that is repeatedly unavailable are paused for a while. A disconnect cancels reads: CANCELED.",
    "A job has one of the statuses of part 2. The contract does not specify nextRetryAt.",
  ],
  erasure: [
    "part 4, disconnectConnection: what the erase job does",
    "Content and profile are deleted immediately, the credential when the revoke has ended or after 24 hours, then the connection.",
    "The connection exists until it is erased. The contract does not specify the duration.",
  ],
  "admin-records": [
    "part 2, admin API records, and part 4: argument types and return fields",
    "Records have the fields of the published admin schema, lists have pages of 50, and each write returns the changed record.",
    "A response needs fields, and the published schema defines them.",
  ],
  "partial-admin-documents": [
    "part 4, admin API endpoints: several root fields in one document, of which one fails",
    "They run in order. A failure does not stop the next field: the failed field is null in data, and errors has its path.",
    "The response has to report which changes were applied.",
  ],
  "admin-rules": [
    "part 7, admin codes: a rule would be broken",
    "A client has at least one origin and one return URL, each return URL is on one of its origins, slugs are unique, lists, names and labels have maximum lengths, and names and labels are visible characters on one line.",
    "Refused values stay refused in strict mode.",
  ],
  panel: [
    "part 5: the admin panel",
    "A mock has no panel. Its control API runs operations of the panel that change admins, keys, clients and registrations, as an admin: POST /__mock/admin/panel.",
    "API keys cannot call these operations.",
  ],
  "connection-moves": [
    "part 3: transitions of a connection",
    "A connection without a valid grant is RECONNECT_REQUIRED, also when PROVIDER_C reports that the person removed the app; a later consent stays valid. A disconnected one is DISCONNECTED, then DELETING, until it is erased.",
    "A connection has one of the statuses of part 2.",
  ],
  "sync-statuses": [
    "part 3: transitions of syncStatus",
    "READY: the latest scan covered its window. PARTIAL: it did not. STALE: no scan has succeeded for a day.",
    "The field is never null. The contract specifies completeForWindow for completeness.",
  ],
  "unregistered-tenant": [
    "part 5, rule 7: FORBIDDEN or NOT_FOUND, depending on the operation",
    "Operations without a connection, job or session id fail with FORBIDDEN, all others with NOT_FOUND.",
    "It has to be one of the two.",
  ],
  "content-of-connections-out-of-use": [
    "part 4: errors of content, contentItem, requestRefresh and requestContentLookup",
    "They check access as `connection` does, and fail with AUTHORIZATION_SUSPENDED, RECONNECT_REQUIRED or NOT_FOUND by the status.",
    "A response with content would return data that callers may no longer read.",
  ],
  "missing-capability": [
    "part 4: an operation whose capability was not granted",
    "It fails with CAPABILITY_UNAVAILABLE.",
    "It has to fail with one of the codes.",
  ],
  "gone-posts": [
    "part 4, requestContentLookup and requestRefresh: a post that the provider has deleted",
    "At every provider, the job is FAILED and the stored post becomes UNAVAILABLE. A scan has the same effect when neither the listing nor a read by id returns the post.",
    "The job has to end with one of the statuses of part 2.",
  ],
  "counted-posts": [
    "part 4, requestRefresh: what maxItems counts",
    "maxItems counts posts that content can list. It does not count deleted entries of a provider's list, or entries without a date.",
    "A caller that requests 20 posts gets 20 if they exist.",
  ],
  "capability-not-served": [
    "part 2, CapabilityState: when a capability is UNAVAILABLE",
    "A capability that the provider registration no longer serves is UNAVAILABLE with CAPABILITY_UNAVAILABLE on existing connections, and operations that require it fail with that code. Without CONTENT_METRICS, posts have no metrics. An attempt that requests it is FORBIDDEN.",
    "A capability has one of the availabilities of part 2, and an impossible operation has to fail.",
  ],
  readiness: [
    "part 2, IntegrationReadiness: the application's policy and the service's own configuration allow an attempt",
    "available is true only when an attempt can start now: with a tenant, a return URL for the flow (or a preview path, if previews are enabled), and a registration that serves an allowed capability.",
    "The field is never null, and callers rely on false.",
  ],
  "revoke-receipts": [
    "part 4, disconnectConnection: how a revoke job ends",
    "At PROVIDER_C it is FAILED immediately; elsewhere it is retried for 24 hours and then FAILED. The erasure continues in both cases.",
    "The receipt has to end with one of the statuses of part 2; its errorCode is UNSPECIFIED.",
  ],
  "lookup-addresses": [
    "part 4, requestContentLookup: URL matching rules per provider",
    "A lookup accepts the URLs of the providers' own pages and embed codes and refuses short links that redirect.",
    "Refused values stay refused in strict mode.",
  ],
  siblings: [
    "part 4, disconnectConnection: the other accounts of a provider",
    "The application's other connections at the provider are suspended if they have the same subject, account or known provider user. A connection that cannot be rechecked stays suspended for 7 days and is then RECONNECT_REQUIRED.",
    "Rule 4 of the operation has no other limit.",
  ],
  "return-url-removed": [
    "part 3: when an attempt is FAILED, and part 4: the redirect back to the returnUrl",
    "Removing a return URL ends its unfinished attempts as FAILED with POLICY_CHANGED and its sign-ins as FAILED. The browser stays on a page of the service.",
    "The alternative would be a redirect to a URL that is no longer registered.",
  ],
  "account-being-revoked": [
    "part 3: when an attempt is FAILED",
    "An attempt is FAILED with POLICY_CHANGED when a revoke of its account is in progress or was settled during the code exchange, for any subject.",
    "The attempt has to end with one of the statuses of part 2, and COMPLETED would require a valid grant.",
  ],
  "order-of-connections": [
    "part 4: connections",
    "Connections are sorted by the time of linking, oldest first.",
    "The contract does not specify the order of the list.",
  ],
  events: [
    "not in the description",
    "The service sends the events of EVENT_TYPES to the endpoints of an application, signed by the Standard Webhooks specification.",
    "A mock sends events only after a test has added an endpoint. Their codes are those of the service in strict mode, too.",
  ],
  "names-of-test-accounts": [
    "not in the description",
    "Scripted accounts and users behave by name, e.g. `revoke-rejected`; every other name is an ordinary account.",
    "They belong to the mock, like the control API below /__mock/.",
  ],
  "work-takes-no-time": [
    "not in the description",
    "A job waits 10 milliseconds of the mock's time in the queue, and each call at a provider takes 20.",
    "Intermediate states are only observable if work takes time.",
  ],
};

function assumptions(inStrictMode: Assumption["inStrictMode"], texts: Readonly<Record<string, Texts>>): Assumption[] {
  return Object.entries(texts).map(([id, [leftOpenIn, says, meaning]]) => {
    return { id, says, leftOpenIn, inStrictMode, meaning };
  });
}

/**
 * The behavior of the mock and of the service that the contract does not specify. Strict mode returns only what the contract
 * specifies and still refuses everything that the service refuses, so a client that works in strict mode does not depend on
 * an assumption.
 */
export const ASSUMPTIONS: readonly Assumption[] = [...assumptions("off", OFF), ...assumptions("kept", KEPT)];
