/** The prefix of an admin key: `scadm_<key-id>.<secret>`. */
export const ADMIN_KEY_PREFIX = "scadm";

/** The required field of the form that a browser posts to a `launchUrl`. */
export const LAUNCH_TOKEN_FIELD = "launchToken";

/**
 * Optional field of the form: the languages of the service's pages, as BCP 47 tags separated by spaces, the preferred one
 * first. Without it, the browser's Accept-Language header decides.
 */
export const UI_LOCALES_FIELD = "ui_locales";

/** Optional field of Connect's form: with the value `true`, the service shows its consent pane before the provider's. */
export const CONSENT_PANE_FIELD = "consent_pane";

/** Response header of both APIs: the `correlationId` of the request, which its errors contain too. */
export const CORRELATION_ID_HEADER = "x-correlation-id";

/**
 * Optional request header of both APIs: the calling library and its version, for example `sdk/1.4.0`. It has no effect on
 * the response.
 */
export const CLIENT_HEADER = "x-social-connect-client";

/**
 * Optional request header of the consumer API: a UUID of the caller's choice that identifies one call. A repetition of the call
 * with the same header, within a minute, gets the response of the first. Not `Idempotency-Key`: the HTTP client of Go, which
 * proxies use, repeats requests that have it.
 */
export const IDEMPOTENCY_KEY_HEADER = "x-social-connect-idempotency-key";

/** Query parameters of the return URL. They are only hints: a backend must read the result itself. */
export const RETURN_PARAMETERS = { sessionId: "ss_session_id", status: "ss_status" } as const;

/** Paths of the consumer API, relative to the base URL. */
export const CONSUMER_PATHS = {
  graphql: "/graphql",
  schema: "/schema.graphql",
  connectRedeem: "/api/connect/redeem",
  identityRedeem: "/api/identity/redeem",
} as const;
