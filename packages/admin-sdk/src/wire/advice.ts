import type { ServiceErrorDetails } from "@social-connect/sdk-core";

/** What a refusal means for the caller, and what to do about it, in words that hold nothing of the call. */
export function adviceFor({ code, reason, operation }: ServiceErrorDetails): string {
  const known = (reason === undefined ? undefined : BY_REASON[`${code}/${reason}`]) ?? BY_CODE[code];
  const named = reason === undefined ? code : `${code}, ${reason}`;
  return `${operation} was refused (${named}). ${known ?? "This version of the package does not know the code."}`;
}

const BY_CODE: Readonly<Record<string, string>> = {
  UNAUTHENTICATED:
    "The service does not take this admin key: it is unknown, expired or revoked, or its admin was removed. Mint a new one in the panel.",
  FORBIDDEN:
    "The request came in a way that is not taken: over plain http, to another host than the admin host, or through a proxy that changed its headers. Check host, and what lies between.",
  BAD_USER_INPUT:
    "An argument is not valid. The service does not say which: check them against the rules of the field.",
  NOT_FOUND: "There is no client with this id, or it does not have what was to be removed.",
  CONFLICT: "A rule of the client would be broken. Nothing was changed.",
  UPSTREAM_UNAVAILABLE:
    "The service could not complete it. A change may have been applied nevertheless: read the client before trying again.",
};

const BY_REASON: Readonly<Record<string, string>> = {
  "FORBIDDEN/API_KEY_READ_ONLY": "This key may only read. Use one of scope WRITE, which an admin mints in the panel.",
  "FORBIDDEN/PANEL_ONLY": "No key may do this: an admin does it in the panel.",
  "CONFLICT/LAST_ORIGIN": "A client keeps at least one origin: add the new one before removing the old.",
  "CONFLICT/LAST_RETURN_URL": "A client keeps at least one return URL: add the new one before removing the old.",
  "CONFLICT/ORIGIN_IN_USE":
    "A return URL lies on this origin: remove that first. Identity return URLs are changed in the panel.",
  "CONFLICT/SLUG_TAKEN": "Another client has this slug. Slugs never change: choose another.",
  "CONFLICT/ALREADY_PRESENT": "The client has this already.",
  "CONFLICT/KEY_LIMIT": "There are as many active keys as there may be: revoke one in the panel.",
  "CONFLICT/ROW_BUSY": "Another change of the client was under way, twice. Try again in a moment.",
};
