import { isIPv6 } from "node:net";

/** Parameters that the driver applies, and those of other clients that change nothing here. Others are refused: most are misspelled. */
const PARAMETERS: ReadonlySet<string> = new Set([
  ...["user", "password", "host", "port", "application_name", "client_encoding", "options"],
  ...["sslmode", "ssl", "sslcert", "sslkey", "sslrootcert", "sslnegotiation", "uselibpqcompat"],
  // Parameters of libpq, Prisma, JDBC and hosted databases.
  ...[
    "channel_binding",
    "connect_timeout",
    "fallback_application_name",
    "gssencmode",
    "keepalives",
    "keepalives_count",
  ],
  ...["keepalives_idle", "keepalives_interval", "target_session_attrs", "tcp_user_timeout"],
  ...["connection_limit", "pgbouncer", "pool_timeout", "socket_timeout"],
  // Checked with the session settings.
  ...["schema", "search_path", "searchPath", "currentSchema"],
]);

/** What the parameters with few values may be. */
const VALUES: Readonly<Record<string, RegExp>> = {
  sslmode: /^(?:disable|no-verify|prefer|require|verify-ca|verify-full)$/,
  ssl: /^(?:true|1|0)$/,
  client_encoding: /^utf-?8$/i,
  target_session_attrs: /^(?:any|read-write|primary)$/,
};
const WANTED: Readonly<Record<string, string>> = {
  sslmode: "disable, no-verify, prefer, require, verify-ca or verify-full",
  ssl: "true (to switch TLS off use sslmode=disable)",
  client_encoding: "UTF8",
  target_session_attrs: "any, read-write or primary",
};

const FORM = "a postgres:// URL";

/** Forms of other tools and slips of copying, before the URL is parsed. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^["'`“”‘’«]|["'`“”’»]$/, `it has quotation marks, which are not part of ${FORM}: remove them`],
  [/\p{Cc}/u, "it contains a line break or another control character: write one URL on one line"],
  [/^(?:export\s+)?[A-Z_]+\s*=/, `it begins with the name of a variable: keep only what follows the equals sign`],
  [/^psql\s/i, `it begins with the command psql: keep only the URL`],
  [/^jdbc:/i, `it is a JDBC URL: write postgres://user:password@host:5432/database`],
  [
    /^(?:host|hostaddr|dbname|user|port|password|sslmode|service)\s*=/i,
    "it has the form of keywords and values (host=… dbname=…): write postgres://user:password@host:5432/database",
  ],
  [/^\/(?!\/)/, "it is a path: write postgres://user:password@%2Fpath%2Fto%2Ffolder/database for a socket"],
  [/^(?!postgres(?:ql)?:)/i, `it is not ${FORM}, because it does not begin with postgres:// or postgresql://`],
  [/^\w+:(?!\/\/)/, `it is not ${FORM}, because // is missing after the colon`],
  [
    /#/,
    "it contains # without encoding: in a user, a password or a name write # as %23 (and @ as %40, / as %2F, ? as %3F, % as %25)",
  ],
  [/%(?![0-9a-f]{2})/i, "it contains % that begins no percent-encoded character: write % as %25"],
  [/%00/, "it contains %00, which PostgreSQL does not accept"],
];

export type ReadUrl = { readonly url: string } | { readonly problem: string };

/**
 * The URL in the form in which every parser reads the same: the driver's corrects a URL that is not encoded, and then reads another
 * password. Otherwise the problem, with what to write instead. It repeats no part of the text but the name of a parameter: where a
 * password is not encoded, any part can be its own.
 */
export function readDatabaseUrl(text: string): ReadUrl {
  const mistake = MISTAKES.find(([pattern]) => pattern.test(text))?.[1];
  if (mistake !== undefined) return { problem: mistake };
  const afterScheme = text.slice(text.indexOf("//") + 2);
  const [authority = ""] = afterScheme.split(/[/?]/, 1);
  if (afterScheme.includes("@", authority.length)) {
    const encoded = "write / as %2F, ? as %3F and @ as %40";
    return { problem: `it contains @ after the host: in a user, a password, a name or a parameter ${encoded}` };
  }
  const problem = hostProblem(authority.slice(authority.lastIndexOf("@") + 1));
  if (problem !== null) return { problem };
  const url = parse(text);
  if (url === null) return { problem: "its user, password or host has a character that must be percent-encoded" };
  const database = databaseOf(url);
  if (database === null) {
    return { problem: "its percent-encoded bytes are not UTF-8: write % as %25, and encode other characters as UTF-8" };
  }
  const wrong = nameProblem(database) ?? parameterProblem(url.searchParams);
  if (wrong !== null) return { problem: wrong };
  moveAddress(url);
  if (url.hostname === "" || url.hostname === NO_HOST) return { problem: MISSING_HOST };
  // The driver decodes a path less than other parts.
  url.pathname = `/${encodeURI(database)}`;
  return { url: url.href };
}

/** A host that cannot exist, in place of none: a parser of URLs allows a user only with a host. */
const NO_HOST = "no_host.invalid";
const MISSING_HOST =
  "it names no host: add it before the database, for example localhost, or ?host=/folder for a socket";

function parse(text: string): URL | null {
  const withHost = text.replace(/^(\w+:\/\/[^/?]*@)(?=[:/?]|$)/, `$1${NO_HOST}`);
  // The driver accepts both schemes; some parsers know only this one.
  const plain = withHost.replace(/^\w+:/, "postgres:");
  return URL.parse(plain);
}

/** The driver prefers a host and a port among the parameters. So every reader of the URL finds them in one place. */
function moveAddress(url: URL): void {
  const [host, port] = [url.searchParams.get("host"), url.searchParams.get("port")];
  url.searchParams.delete("host");
  url.searchParams.delete("port");
  if (host) url.hostname = isIPv6(host) ? `[${host}]` : encodeURIComponent(host);
  if (port) url.port = port;
}

const SEVERAL_HOSTS =
  "it names several hosts, and the service connects to one: name the primary, or a proxy or DNS name that leads to it";

function hostProblem(host: string): string | null {
  if (host.includes(",")) return SEVERAL_HOSTS;
  if (/^[^[].*:.*:/.test(host)) return "its host is an IPv6 address without brackets: write [address]:port";
  const port = /^(?:\[[^\]]*\]|[^:[]*):(.*)$/.exec(host)?.[1] ?? "";
  return portProblem(port);
}

function portProblem(port: string): string | null {
  const isPort = port === "" || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
  if (isPort) return null;
  return "what follows its host is not a port from 1 to 65535 (if it is part of the password, write / as %2F, ? as %3F and @ as %40)";
}

/** The decoded name of the database; null if a name cannot be decoded. */
function databaseOf({ username, password, hostname, pathname }: URL): string | null {
  try {
    for (const name of [username, password, hostname]) decodeURIComponent(name);
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return null;
  }
}

function nameProblem(database: string): string | null {
  if (database === "") return "it names no database: add /database after the host";
  if (!/[/?#]/.test(database)) return null;
  return "the name of its database contains /, ? or #: write only one / after the host, and rename a database with such a name";
}

function parameterProblem(parameters: URLSearchParams): string | null {
  const names = [...parameters.keys()];
  for (const [index, name] of names.entries()) {
    // A part of a password that is not encoded may resemble a name.
    const shown = /^\w{1,40}$/.test(name) && !parameters.has("password") ? name : `number ${index + 1}`;
    if (!PARAMETERS.has(name)) {
      return `its parameter ${shown} is unknown: remove it, or correct its name (a password with & needs %26)`;
    }
    if (names.indexOf(name) !== index) return `its parameter ${name} appears twice: keep one`;
  }
  for (const [name, pattern] of Object.entries(VALUES)) {
    const value = parameters.get(name);
    if (value !== null && !pattern.test(value)) return `its ${name} has an unknown value: use ${WANTED[name]}`;
  }
  const host = parameters.get("host") ?? "";
  if (host.includes(",")) return SEVERAL_HOSTS;
  if (/^[^/].*[:[\]]/.test(host) && !isIPv6(host))
    return "its parameter host contains a port or brackets: write the port as the parameter port";
  return portProblem(parameters.get("port") ?? "");
}

export interface DatabaseAddress {
  readonly database?: string | undefined;
  /** A host, with or without a port, or the folder of a socket. */
  readonly host?: string | undefined;
}

/** The URL with another database or host, otherwise unchanged. */
export function moveDatabaseUrl(text: string, { database, host }: DatabaseAddress): ReadUrl {
  const read = readDatabaseUrl(text);
  if ("problem" in read) return read;
  const url = new URL(read.url);
  if (host !== undefined) {
    const named = readDatabaseUrl(`postgres://${host.startsWith("/") ? encodeURIComponent(host) : host}/any`);
    if ("problem" in named) return named;
    const { hostname, port, username, pathname, search } = new URL(named.url);
    if (username !== "" || pathname !== "/any" || search !== "")
      return { problem: "the host is not a host and a port" };
    url.hostname = hostname;
    if (port !== "") url.port = port;
  }
  if (database !== undefined) url.pathname = `/${encodeURI(database)}`;
  return readDatabaseUrl(url.href);
}

/** Where a URL leads, without its user and password. */
export function describeDatabaseUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return decodeURIComponent(host + pathname);
}
