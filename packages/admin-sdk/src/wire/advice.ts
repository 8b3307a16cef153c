import type { ServiceErrorDetails } from "@social-connect/sdk-core";

/** The meaning of an error code, and what to do about it. The text contains no values of the call. */
export function adviceFor({ code, reason, operation }: ServiceErrorDetails): string {
  const known = (reason === undefined ? undefined : BY_REASON.get(`${code}/${reason}`)) ?? BY_CODE.get(code);
  const named = reason === undefined ? code : `${code}, ${reason}`;
  return `${operation} was rejected (${named}). ${known ?? "This version of the package does not know the code."}`;
}

const BY_CODE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    UNAUTHENTICATED:
      "The admin key is invalid, expired or revoked, or its admin was removed. Create a new key in the panel.",
    FORBIDDEN:
      "The service rejected the way of the request: plain http, a host other than the admin host, or headers changed by a proxy. Check host and your proxies.",
    BAD_USER_INPUT:
      "An argument is invalid, and the service does not name it. A cursor is valid only for its list and filter.",
    NOT_FOUND: "The client does not exist, or the entry is not registered for it.",
    CONFLICT: "The change conflicts with the current state of the client. Nothing was changed.",
    UPSTREAM_UNAVAILABLE:
      "The service could not complete it. A change may still have been applied: read the client before you retry.",
  }),
);

const BY_REASON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "FORBIDDEN/API_KEY_READ_ONLY":
      "This API key is read-only. Use a key of scope WRITE, which an admin creates in the panel.",
    "FORBIDDEN/PANEL_ONLY": "This operation is only available in the admin panel.",
    "CONFLICT/LAST_ORIGIN": "A client must have at least one origin. Add the new origin before you remove the old one.",
    "CONFLICT/LAST_RETURN_URL":
      "A client must have at least one return URL. Add the new URL before you remove the old one.",
    "CONFLICT/ORIGIN_IN_USE":
      "A return URL uses this origin. Remove it first. Identity return URLs are changed only in the panel.",
    "CONFLICT/SLUG_TAKEN": "Another client has this slug. Choose another slug: slugs never change.",
    "CONFLICT/ALREADY_PRESENT": "Already registered for this client.",
    "CONFLICT/KEY_LIMIT": "Limit of active keys reached. Revoke a key in the panel.",
    "CONFLICT/ROW_BUSY": "Another change of the client was in progress, twice. Try again later.",
  }),
);
