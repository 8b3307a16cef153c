/** Paths of the service, which are copied with its URL from a browser or a guide. */
const OWN_PATH = /\/(panel|api\/admin)(?:\/.*)?$|\/(graphql|schema\.graphql)\/*$/i;
/** A long word may be a secret of a gateway's URL. */
const LONG_WORDS = /[\w-]{24,}/g;

/**
 * What is wrong with a base URL that has a path of the service, and the corrected URL; undefined if nothing is. Must not be called
 * for a URL that may have a key or credentials.
 */
export function ownPathProblem({ origin, pathname }: URL): string | undefined {
  const found = OWN_PATH.exec(pathname);
  if (found === null) return undefined;
  const folder = pathname.slice(0, found.index).replace(/\/+$/, "");
  const root = folder.search(LONG_WORDS) < 0 ? origin + folder : "the part before it";
  return `must be the root of the service, without /${found[1] ?? found[2]}: use ${root}`;
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** A checked URL as an error shows it. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(LONG_WORDS, "…");
}
