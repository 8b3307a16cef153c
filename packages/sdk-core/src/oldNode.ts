/**
 * The message for a Node that is older than the packages need; null for any other. A command checks this before it loads anything
 * else, so this file uses only syntax that very old versions parse.
 */
export function oldNodeProblem(version: string, least: number): string | null {
  const major = Number(version.split(".")[0]);
  if (major >= least) return null;
  return `this is Node ${version}, and the command needs Node ${least} or newer. Install it from https://nodejs.org, or select it with your version manager.`;
}
