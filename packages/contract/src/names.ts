/** The prefix of an admin key: `scadm_<key-id>.<secret>`. */
export const ADMIN_KEY_PREFIX = "scadm";

/** The one field of the form that a browser posts to a `launchUrl`. */
export const LAUNCH_TOKEN_FIELD = "launchToken";

/** Query parameters of the return URL. They are only hints: a backend must read the result itself. */
export const RETURN_PARAMETERS = { sessionId: "ss_session_id", status: "ss_status" } as const;

/** Paths of the consumer API, relative to the base URL. */
export const CONSUMER_PATHS = {
  graphql: "/graphql",
  schema: "/schema.graphql",
  connectRedeem: "/api/connect/redeem",
  identityRedeem: "/api/identity/redeem",
} as const;
