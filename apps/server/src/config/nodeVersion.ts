/** The oldest Node that the service's dependencies run on; `publishConfig.engines` in package.json says the same. */
export const OLDEST_NODE = "22.12";

/** What to tell whoever starts the program on a Node that is too old; null when it is not. */
export function nodeVersionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return isNewEnough ? null : `this is Node ${version}, and the service needs Node ${OLDEST_NODE} or newer`;
}
