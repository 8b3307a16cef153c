/** The oldest Node that the service's dependencies support; the same as `publishConfig.engines` in package.json. */
export const OLDEST_NODE = "22.12";

/** The message for a Node that is too old; null when it is not. */
export function nodeVersionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isNewEnough ? null : `this is Node ${version}, and the service needs Node ${OLDEST_NODE} or newer`;
}
