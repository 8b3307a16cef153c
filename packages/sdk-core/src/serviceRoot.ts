/** Paths of the service, which are copied with its URL from a browser or a guide. */
const OWN_PATH = /\/((?:panel|(?:api\/)?admin)\/graphql|panel|api\/admin|graphql|schema\.graphql)(\/.*)?$/i;

/** What is wrong with a checked base URL that has a path of the service, and the corrected URL; undefined if nothing is. */
export function ownPathProblem({ origin, pathname }: URL): string | undefined {
  const [tail, path] = OWN_PATH.exec(pathname) ?? [];
  if (tail === undefined) return undefined;
  const root = shownUrl(origin + pathname.slice(0, -tail.length));
  return `must be the root of the service, without /${path}: use ${root}`;
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** A checked URL as an error shows it: a long word of its path may be a secret of a gateway. */
export function shownUrl(url: string): string {
  const { origin } = new URL(url);
  return origin + url.slice(origin.length).replace(/[\w-]{24,}/g, "…");
}
