export const CLIENT_LIBRARIES = ["sdk", "admin-sdk"] as const;

/** The version of requests beyond the number of versions that are counted by name. */
export const OTHER_VERSION = "other";

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

/** A text that sorts as semantic versions do: a pre-release comes before its release. */
export function versionSortKey(version: string): string {
  const [core = "", ...prerelease] = version.split("-");
  const release = prerelease.length === 0 ? ["~"] : prerelease.join("-").split(".");
  const keys = [...core.split("."), ...release].map((part) =>
    /^\d+$/.test(part) ? `0${part.padStart(20, "0")}` : `1${part}`,
  );
  return keys.join(" ");
}
