/** One thing that a caller can see of the mock and that the contract does not say. */
export interface Assumption {
  /** Its name, unlike every other's and lasting. */
  readonly id: string;
  /** What the service does by this project's choice. */
  readonly says: string;
  /** The part of the service description that leaves it open. */
  readonly leftOpenIn: string;
  /** `off`: strict mode takes it away. `kept`: it cannot be taken away without taking an answer away. */
  readonly inStrictMode: "off" | "kept";
  /** What strict mode does instead, or why it is kept. */
  readonly meaning: string;
}

/** Stands in strict mode where a text has no value that the contract names. */
export const UNSPECIFIED = "UNSPECIFIED";

const off = (id: string, leftOpenIn: string, says: string, meaning: string): Assumption => ({
  id,
  says,
  leftOpenIn,
  inStrictMode: "off",
  meaning,
});
const kept = (id: string, leftOpenIn: string, says: string, meaning: string): Assumption => ({
  id,
  says,
  leftOpenIn,
  inStrictMode: "kept",
  meaning,
});

/**
 * Everything that the mock, as the service, does by this project's choice where the contract is silent. Strict mode gives a
 * caller nothing more than the contract promises, and goes on refusing all that the service refuses: what passes there does
 * not lean on a choice that could be made otherwise.
 */
export const ASSUMPTIONS: readonly Assumption[] = [
  off(
    "return-parameters",
    "part 4, transport: the redirect back to the returnUrl",
    "The browser comes back to the returnUrl with ss_session_id and ss_status added.",
    "The browser comes back to the returnUrl as it was given.",
  ),
  off(
    "result-codes",
    "part 7: values of resultCode",
    "ConnectSessionResult.resultCode is one of CONNECT_RESULT_CODES.",
    "A resultCode that is there is UNSPECIFIED: decide by the status.",
  ),
  off(
    "creator-action-of-attempts",
    "part 2, ConnectSessionResult: when creatorAction is set",
    "An attempt that failed after consent says REMOVE_APP_AT_PROVIDER where the grant could not be given back.",
    "creatorAction of a ConnectSessionResult is null; that of a disconnect and of its receipt is the contract's.",
  ),
  off(
    "job-error-codes",
    "part 7: values of errorCode",
    "SyncJob.errorCode is one of JOB_ERROR_CODES.",
    "An errorCode that is there is UNSPECIFIED: decide by the status.",
  ),
  off(
    "incomplete-reasons",
    "part 2, SyncJob and PageInfo: values of incompleteReason",
    "incompleteReason is one of PAGE_INCOMPLETE_REASONS, or after a lookup a reason of the post.",
    "An incompleteReason that is there is UNSPECIFIED: decide by completeForWindow.",
  ),
  off(
    "reasons-of-capabilities",
    "part 2, CapabilityState: values of reason",
    "A disconnected connection's capabilities have the reason DISCONNECT_IN_PROGRESS.",
    "Reasons other than the codes that part 3 names are UNSPECIFIED: decide by the availability.",
  ),
  off(
    "reasons-of-posts",
    "part 2, ContentItem: values of reason",
    "A post that is not available has the reason DELETED_AT_PROVIDER or PRIVATE_AT_PROVIDER.",
    "Reasons other than EXPIRED are UNSPECIFIED: decide by the availability.",
  ),
  off(
    "reasons-of-metrics",
    "part 2, MetricObservation: values of reason",
    "A number that is not there has the reason METRIC_NOT_OFFERED, METRIC_HIDDEN, METRIC_NOT_GIVEN, NOT_GRANTED or EXPIRED: a missing value always says why.",
    "A reason that is there is UNSPECIFIED: decide by the availability.",
  ),
  off(
    "source-fields",
    "part 2, MetricObservation: values of sourceField",
    "sourceField names the provider's own field.",
    "sourceField is null.",
  ),
  off(
    "messages",
    "part 7: the wording of messages",
    "Each message says in a sentence what was wrong.",
    "Every message of an error, and that of `status`, is the same text: decide by the code.",
  ),
  off(
    "wait-for-unfinished-attempts",
    "part 7: retryAfterSeconds where relevant",
    "The sixth unfinished attempt to connect is refused with the seconds until the oldest reaches its deadline.",
    "It is refused without retryAfterSeconds, as the table of codes names none there.",
  ),
  off(
    "reads-without-asking",
    "part 3: transitions of syncStatus",
    "Posts are scanned as soon as an account is linked, and daily after that.",
    "Nothing is scanned until requestRefresh asks for it. The profile is read all the same: no operation asks for that.",
  ),
  off(
    "conflict-reasons",
    "part 7, admin codes: the reason beside CONFLICT is sometimes present",
    "CONFLICT comes with one of CONFLICT_REASONS.",
    "CONFLICT comes without a reason.",
  ),
  kept(
    "requests-beyond-the-description",
    "part 4, transport, and part 7: what makes a query invalid",
    "Refused as invalid are also another media type, introspection, subscriptions, and documents of more than 1,500 tokens; the admin API has limits like the consumer API's, with a cost of 300.",
    "These only refuse. What a client library sends by itself passes: a charset, an operationName, `__typename`.",
  ),
  kept(
    "first-validation-error",
    "part 7: the errors array of an invalid query",
    "Of several errors in a document or its variables the first is answered, alone, with a message of at most 300 characters.",
    "An invalid document gives an error either way, and nothing is promised of a second one.",
  ),
  kept(
    "texts-and-moments",
    "part 2, scalars and input types",
    "A text argument holds no NUL and no half of a pair of surrogates, characters are code points, and a DateTime has an offset and is of the years 1 to 9999.",
    "Arguments have to be judged somehow, and what is refused stays refused.",
  ),
  kept(
    "ends-of-windows",
    "part 4, content: posts published inside the window",
    "A window holds the moment it begins and not the one it ends at, and a deadline has passed in the millisecond that it names.",
    "Each edge has to fall to one side.",
  ),
  kept(
    "complete-for-window",
    "part 2, PageInfo: a recent successful scan",
    "Recent is the last 24 hours, and scans that adjoin add up.",
    "The field is never null, and true is the rarer of the two.",
  ),
  kept(
    "which-refusal",
    "part 7: codes of arguments that do not go together",
    "A post together with a window or cursor, a reversed window, and a cursor that is altered, foreign or too old are BAD_USER_INPUT; the numbers of a post that was never observed are NOT_FOUND, and so is a wrong proof, which consumes nothing. Of several refusals the caller's comes before the argument's, and that before the record's.",
    "They have to be refused with one of the codes.",
  ),
  kept(
    "launch-form-field",
    "part 4, transport: the name of the form field",
    "The launch token is posted in the form field launchToken.",
    "A form needs a name for its field, and taking any would let a form pass that the service refuses.",
  ),
  kept(
    "launch-origin-and-browser",
    "part 3: moves of an attempt in the browser",
    "A launch form comes from an origin of the application, and the callback from the browser that was launched.",
    "These only refuse, and what strict mode lets pass is never more.",
  ),
  kept(
    "error-pages",
    "part 4, transport: the browser side",
    "What goes wrong in the browser ends at a small page with a status from 400 to 503.",
    "The person has to see something. Nothing of the pages' wording is promised.",
  ),
  kept(
    "attempt-moves",
    "part 3: other moves of an attempt, and when it is DENIED, FAILED or CANCELED",
    "The moves are those of CONNECT_ATTEMPT_TRANSITIONS; a superseded reconnect, for one, is CANCELED.",
    "Every attempt has to end somehow; each end is one of the statuses of part 2.",
  ),
  kept(
    "identity-moves",
    "part 3: other transitions of the identity result",
    "Somebody who declines is DENIED, what goes wrong otherwise is FAILED, and an unfinished session is EXPIRED at its deadline.",
    "Every session has to end somehow; each end is one of the statuses of part 2.",
  ),
  kept(
    "account-connected-again",
    "part 2, Connection: the id stays the same across reconnects",
    "An account that the subject has linked already keeps its connection whether or not it was named as the target, with the capabilities of the latest consent.",
    "One account in two rows of one subject would be the other choice, and part 2 speaks of one.",
  ),
  kept(
    "testers",
    "part 1: only tester accounts connect in sandbox mode",
    "An attempt of anybody else is FAILED, and no credential is kept; in a mock every account but `not-a-tester` is a tester until a list is kept.",
    "The attempt has to end in one of the statuses of part 2.",
  ),
  kept(
    "retries-of-jobs",
    "part 3: transitions of a job",
    "What may pass by itself is tried again, at the provider's own moment or after a time that doubles, until the tries are used up; a disconnect makes CANCELED of what reads.",
    "A job has to be in one of the statuses of part 2; when nextRetryAt is, nobody is promised.",
  ),
  kept(
    "erasure",
    "part 4, disconnectConnection: what the erase job does",
    "Content and profile go at once, the credential when the revoke has ended or after 24 hours, and then the connection.",
    "The connection is there until it is erased, and how long that takes is not said.",
  ),
  kept(
    "admin-records",
    "part 2, admin API records, and part 4: argument types and return fields",
    "Records have the fields of the published admin schema, lists come in pages of 50, and each write gives back the record it changed.",
    "An answer has to have some fields, and those are in the published schema.",
  ),
  kept(
    "partial-admin-documents",
    "part 4, admin API endpoints: several root fields in one document, of which one fails",
    "They run in order, and one that fails does not stop the next: its field is null in data, and errors names it by its path.",
    "The answer has to say which changes were applied.",
  ),
  kept(
    "admin-rules",
    "part 7, admin codes: a rule would be broken",
    "A client keeps an origin and a return URL, each return URL lies on one of its origins, a slug is unique, lists, names and labels have a longest, and names and labels can be seen and read, on one line.",
    "What is refused stays refused.",
  ),
  kept(
    "panel",
    "part 5: the admin panel",
    "The admins' own page signs in at the mock's issuer and speaks the admin schema at /panel/graphql.",
    "It is there for scripts of the panel-only operations, which no key reaches.",
  ),
  kept(
    "connection-moves",
    "part 3: transitions of a connection",
    "A connection whose grant is lost is RECONNECT_REQUIRED, also when PROVIDER_C reports that the person removed the app; a consent given after that removal stays. A disconnected one is DISCONNECTED, then DELETING, until it is erased.",
    "A row has to be in one of the statuses of part 2.",
  ),
  kept(
    "sync-statuses",
    "part 3: transitions of syncStatus",
    "READY says that the latest scan covered its window, PARTIAL that it did not, STALE that none has succeeded for a day.",
    "The field is never null. Whether posts are all there are is told by completeForWindow, which is the contract's.",
  ),
  kept(
    "unregistered-tenant",
    "part 5, rule 7: FORBIDDEN or NOT_FOUND, depending on the operation",
    "Operations that name no connection, job or session answer FORBIDDEN, all others NOT_FOUND.",
    "One of the two it has to be.",
  ),
  kept(
    "content-of-connections-out-of-use",
    "part 4: errors of content, contentItem, requestRefresh and requestContentLookup",
    "They re-check as `connection` does, and answer AUTHORIZATION_SUSPENDED, RECONNECT_REQUIRED or NOT_FOUND by the status.",
    "An answer with content would show what may not be shown any more.",
  ),
  kept(
    "missing-capability",
    "part 4: an operation whose capability was not granted",
    "It is CAPABILITY_UNAVAILABLE.",
    "It has to be refused with one of the codes.",
  ),
  kept(
    "gone-posts",
    "part 4, requestContentLookup and requestRefresh: a post that is gone at the provider",
    "The job is FAILED, and the stored post is UNAVAILABLE from then on, at all three providers; the same comes of a scan that no longer lists a post and finds it gone by its id.",
    "The job has to end in one of the statuses of part 2.",
  ),
  kept(
    "counted-posts",
    "part 4, requestRefresh: what maxItems counts",
    "maxItems counts posts that content can list. What deleted posts left in a provider's list does not count, nor does an entry without a date.",
    "Something has to count, and a caller that asks for 20 posts gets 20 where there are so many.",
  ),
  kept(
    "capability-not-served",
    "part 2, CapabilityState: when a capability is UNAVAILABLE",
    "A capability that the provider registration no longer serves is UNAVAILABLE with CAPABILITY_UNAVAILABLE on existing connections, and operations that need it answer with that code; the posts then have no metrics if it is CONTENT_METRICS. An attempt that asks for it is FORBIDDEN.",
    "A capability has one of the availabilities of part 2, and an operation that cannot work has to be refused.",
  ),
  kept(
    "readiness",
    "part 2, IntegrationReadiness: the application's policy and the service's own configuration allow an attempt",
    "available is true only where an attempt could start now: there is a tenant, a return URL for the flow (a preview path counts where previews are on), and a registration that serves a capability which the policy allows.",
    "The field is never null, and false is what a caller must be able to rely on.",
  ),
  kept(
    "revoke-receipts",
    "part 4, disconnectConnection: how a revoke job ends",
    "At PROVIDER_C it is FAILED at once; elsewhere it is tried for 24 hours and then FAILED. The erasure goes on all the same.",
    "The receipt has to end in one of the statuses of part 2; its errorCode is UNSPECIFIED.",
  ),
  kept(
    "lookup-addresses",
    "part 4, requestContentLookup: URL matching rules per provider",
    "The addresses that name a post are those that the providers' own pages have; short links that redirect are refused.",
    "What is refused stays refused.",
  ),
  kept(
    "siblings",
    "part 4, disconnectConnection: the other accounts of a provider",
    "Suspended are the application's other connections there of the same subject, the same account, or the same provider user where it is known. One that cannot be re-checked stays suspended for 7 days and is then RECONNECT_REQUIRED.",
    "Rule 4 of the operation names no other bound.",
  ),
  kept(
    "return-url-removed",
    "part 3: when an attempt is FAILED, and part 4: the redirect back to the returnUrl",
    "An unfinished attempt whose return URL is removed is FAILED with POLICY_CHANGED, a sign-in FAILED, and the browser stays on a page of the service.",
    "Going back to an address that is no longer registered would be the other choice.",
  ),
  kept(
    "account-being-revoked",
    "part 3: when an attempt is FAILED",
    "An attempt that consents with an account whose revoke is under way, or was settled since the code exchange began, is FAILED with POLICY_CHANGED, whichever subject disconnected it.",
    "The attempt has to end in one of the statuses of part 2, and COMPLETED would promise a grant that may be dead.",
  ),
  kept(
    "order-of-connections",
    "part 4: connections",
    "The account that was linked first comes first.",
    "A list has some order; nothing is promised of it.",
  ),
  kept(
    "names-of-test-accounts",
    "not in the description",
    "Accounts and people behave as their names say, e.g. `revoke-rejected`; every other name is an ordinary account.",
    "They are the mock's own, as the control below /__mock/ is.",
  ),
  kept(
    "work-takes-no-time",
    "not in the description",
    "A job waits 10 milliseconds of the mock's time in its queue, and each call at a provider takes 20.",
    "Work has to take some time, so that what lies between can be seen.",
  ),
];
