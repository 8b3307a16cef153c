import type { SdkLibrary } from "../../_generated/sdkVersions.ts";

const LIBRARIES: Readonly<Record<SdkLibrary, string>> = {
  SDK: "SDK",
  ADMIN_SDK: "Admin SDK",
  OTHER: "Another library",
  UNKNOWN: "Unknown library",
};

/** For example "SDK 1.4.0". */
export function versionName(library: SdkLibrary, version: string | null): string {
  if (version !== null) return `${LIBRARIES[library]} ${version}`;
  return library === "SDK" || library === "ADMIN_SDK" ? `${LIBRARIES[library]}, other versions` : LIBRARIES[library];
}
