/** The known values, and any other text: the service may add a value in a minor version, and that is data. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** Where an account is. The service's own documentation says which provider stands behind each. */
export type SocialProvider = "PROVIDER_A" | "PROVIDER_B" | "PROVIDER_C";

/**
 * What a connection is asked for, and can do:
 * - `PROFILE`: name, picture and description of the account;
 * - `CONTENT_LIST`: its posts;
 * - `CONTENT_LOOKUP`: a post by its address;
 * - `CONTENT_METRICS`: the numbers of posts.
 */
export type Capability = "PROFILE" | "CONTENT_LIST" | "CONTENT_LOOKUP" | "CONTENT_METRICS";

/** Whether something can be had: now, never at this provider, not with this consent, or not at present. */
export type Availability = Open<"AVAILABLE" | "UNSUPPORTED" | "NOT_GRANTED" | "UNAVAILABLE">;

/** What is left for the person to do: remove the application in the provider's own settings. */
export type ConnectCreatorAction = Open<"REMOVE_APP_AT_PROVIDER">;

/** Whether a connection can be used, has to be renewed by its person, or is on its way out. */
export type ConnectionStatus = Open<"CONNECTED" | "SUSPENDED" | "RECONNECT_REQUIRED" | "DISCONNECTED" | "DELETING">;

/** How far an attempt to connect is; the last five are final. */
export type ConnectSessionStatus = Open<
  "CREATED" | "AUTHORIZING" | "EXCHANGING" | "COMPLETED" | "DENIED" | "FAILED" | "EXPIRED" | "CANCELED"
>;

/** What a post is made of. */
export type ContentKind = Open<"VIDEO" | "IMAGE" | "CAROUSEL" | "UNKNOWN">;

/** How far an identity handoff is; all but `PENDING` are final. */
export type IdpIdentityStatus = Open<"PENDING" | "COMPLETED" | "DENIED" | "FAILED" | "EXPIRED">;

/** How far a job is; the last three are final. */
export type JobStatus = Open<"QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELED">;

/** What a number of a post counts. */
export type MetricName = Open<"VIEWS" | "LIKES" | "COMMENTS" | "SHARES">;

/** How the reading of a connection's posts stands; `STALE` when none has succeeded for a day. */
export type SyncStatus = Open<"PENDING" | "RUNNING" | "READY" | "PARTIAL" | "STALE" | "FAILED">;
