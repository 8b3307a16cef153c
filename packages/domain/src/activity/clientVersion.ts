/** The libraries that name themselves in the client header. */
export const CLIENT_LIBRARIES = ["sdk", "admin-sdk"] as const;

/** The library that sent a request, if the request names it. */
export interface ClientVersion {
  /** A library, `none` without the header, or `other` for any other value of it. */
  readonly library: (typeof CLIENT_LIBRARIES)[number] | "none" | "other";
  /** For example `1.4.0`; empty unless the library is known. */
  readonly version: string;
}

/** Semantic versions of a bounded length. Two bounded parts before the version, so matching takes linear time. */
const CLIENT = /^([a-z-]{3,9})\/(\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[0-9a-z.-]{1,20})?)$/;

/**
 * The value of the client header, which anyone can send: a value of any other form is `other`, so that what is counted by
 * it names only libraries and versions.
 */
export function readClientVersion(header: string | null): ClientVersion {
  if (header === null || header === "") return { library: "none", version: "" };
  const [, name, version = ""] = CLIENT.exec(header) ?? [];
  const library = CLIENT_LIBRARIES.find((known) => known === name);
  return library === undefined ? { library: "other", version: "" } : { library, version };
}
