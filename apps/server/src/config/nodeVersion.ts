/**
 * The Node versions that the service supports; the same as `engines` in package.json. `prisma` excludes 23, and packages of
 * GraphQL Yoga need 22.15.
 *
 * The program checks this before it loads anything else, so this file uses only syntax that very old versions parse.
 */
export const NODE_RANGE = "^22.15.0 || >=24.0.0";

/** The message for a Node that is not supported; null for a supported one. */
export function nodeVersionProblem(version: string): string | null {
  const parts = version.split(".").map(Number);
  const major = parts[0] || 0;
  const minor = parts[1] || 0;
  if (major >= 24 || (major === 22 && minor >= 15)) return null;
  return `this is Node ${version}, and the service needs Node 22.15 or newer (22.x), or Node 24 or newer`;
}
