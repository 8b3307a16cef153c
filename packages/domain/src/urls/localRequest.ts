import { isLoopbackName } from "./origin.ts";
import { parseUrl } from "./parseUrl.ts";

/** The names under which a development server may be addressed, besides loopback names. */
export interface OwnHosts {
  /** Host names without a port. */
  readonly names?: readonly string[];
  /** Origins of a proxy in front of the server. */
  readonly origins?: readonly string[];
  /** Whether any IP address is accepted. DNS rebinding needs a name, so an address in `Host` is what the client connected to. */
  readonly acceptsAddresses?: boolean;
}

/** The parts of a request that show which host it was sent to, and whether a web page sent it. */
export interface LocalRequest {
  readonly method: string;
  /** Every Host header. */
  readonly hosts: readonly string[];
  /** The value of another header by its name in lower case; null if it is absent. */
  readonly header: (name: string) => string | null;
}

/**
 * Why a development server rejects the host of a request; null if the host is its own. A web page reaches a server of this
 * machine under its own name if it points that name to the server's address (DNS rebinding): the browser then treats the
 * server as the page's own origin, but the Host header contains the name.
 */
export function localHostProblem(hosts: readonly string[], own: OwnHosts = {}): string | null {
  const [host = "", ...others] = hosts;
  const name = others.length === 0 ? hostNameOf(host) : null;
  if (name !== null && isOwnName(name, own)) return null;
  return name === null ? "The request needs one valid Host header." : `${name} is not a host name of this server.`;
}

/**
 * Why a development server rejects a request that changes something or reads a secret; null if it may do so. Only programs and
 * the server's own pages may, under the server's own host names. Pages of other origins, of the same site too, are recognized by
 * `Origin` (also `null`), by `Sec-Fetch-Site`, or by a form of a browser that sends neither.
 */
export function localRequestProblem({ method, hosts, header }: LocalRequest, own: OwnHosts = {}): string | null {
  const problem = localHostProblem(hosts, own);
  if (problem !== null) return problem;
  const origin = header("origin");
  const site = header("sec-fetch-site");
  const isOwnOrigin =
    origin === null || [`http://${hosts[0]}`, `https://${hosts[0]}`, ...(own.origins ?? [])].includes(origin);
  const isOwnSite = site === null || site === "same-origin" || site === "none";
  const isBareForm = origin === null && site === null && isFormOfBrowser(method, header);
  return isOwnOrigin && isOwnSite && !isBareForm ? null : "Web pages of other origins cannot send this request.";
}

/** A host name as `Host` contains it, without the port and in lower case; null if the text is invalid. */
export function hostNameOf(host: string): string | null {
  if (!/^[^\s/\\?#@]+$/.test(host)) return null;
  return parseUrl(`http://${host}`)?.hostname ?? null;
}

function isAddress(name: string): boolean {
  return name.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(name);
}

/** A listening address that accepts connections to every address of the machine, so clients cannot use it. */
export function isAnyAddress(host: string): boolean {
  return ["0.0.0.0", "[::]", "[::ffff:0:0]"].includes(hostNameOf(urlHost(host)) ?? "");
}

/** The host of URLs for clients of this machine, for a listening address. */
export function reachableHost(host: string): string {
  if (isAnyAddress(host)) return host.includes(":") ? "[::1]" : "127.0.0.1";
  return urlHost(host);
}

/** The own hosts of a server that listens at an address, and that clients reach under these URLs and names too. */
export function ownHostsAt(host: string, urls: readonly string[] = [], names: readonly string[] = []): OwnHosts {
  const parsed = urls.map((url) => new URL(url));
  const own = hostNameOf(urlHost(host)) ?? host;
  return {
    names: [own, ...parsed.map(({ hostname }) => hostname), ...names],
    origins: parsed.map(({ origin }) => origin),
    acceptsAddresses: !isLoopbackName(own),
  };
}

function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function isOwnName(name: string, { names = [], acceptsAddresses = false }: OwnHosts): boolean {
  return isLoopbackName(name) || names.includes(name) || (acceptsAddresses && isAddress(name));
}

/** Browsers can send these media types to any origin without asking it (Fetch, CORS-safelisted request header). */
const FORM_TYPES = /^\s*(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** Old browsers, and proxies that remove headers. The name of every browser starts with Mozilla, that of other clients does not. */
function isFormOfBrowser(method: string, header: LocalRequest["header"]): boolean {
  if (method === "GET" || method === "HEAD" || !header("user-agent")?.startsWith("Mozilla/")) return false;
  return FORM_TYPES.test(header("content-type") ?? "");
}
