/** Names that both sides of the wire write down. They are choices of this project, not of the service description. */

/** Before the underscore of an admin key: `scadm_<key-id>.<secret>`. */
export const ADMIN_KEY_PREFIX = "scadm";

/** The one field of the form that a browser posts to a `launchUrl`. */
export const LAUNCH_TOKEN_FIELD = "launchToken";

/** Query parameters put on the return URL. They are a hint for the page; a backend trusts the result it reads alone. */
export const RETURN_PARAMETERS = { sessionId: "ss_session_id", status: "ss_status" } as const;

/** Paths of the consumer side, below the base address. Source: service description, parts 2 and 4. */
export const CONSUMER_PATHS = {
  graphql: "/graphql",
  schema: "/schema.graphql",
  connectRedeem: "/api/connect/redeem",
  identityRedeem: "/api/identity/redeem",
} as const;
