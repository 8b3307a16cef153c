import type { IncomingMessage } from "node:http";
import * as http from "node:http";
import * as https from "node:https";
import type { TLSSocket } from "node:tls";
import { addMs } from "@social-connect/domain";
import type { Settings } from "../../config/settings.ts";
import { ADMIN_PATHS } from "../../graphql/admin/yoga.ts";
import { extraAuthorityProblem } from "../../platform/network/authorityFile.ts";
import { type Finding, failed, ok, skipped, warning } from "./finding.ts";

const TIMEOUT_MS = 5_000;
const MOST_CHARACTERS = 4_096;
const EXPIRES_SOON_MS = 14 * 24 * 3_600_000;

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The service sends `Strict-Transport-Security` only if it knows that the caller used HTTPS. */
  readonly sawHttps: boolean;
  readonly certificateEndsAt: Date | null;
}

const RESTART = "Start the api, or correct the URL, DNS or the proxy";
const PROXY =
  "Set TRUSTED_PROXIES to the address from which the proxy connects, and let the proxy send exactly one X-Forwarded-Proto and the Host of its caller";

/** Calls the service at its public addresses, as an application and an admin do. */
export async function checkPublicUrls({ publicUrl, adminUrl, role }: Settings, now: Date): Promise<Finding[]> {
  if (role === "worker") return [skipped("PUBLIC_URL", "a worker serves no address")];
  const check = (name: string, url: string, path: string, judge: typeof judgePublic) =>
    ask(`${url}${path}`).then(
      (answer) => judgeCertificate(name, url, answer, now) ?? judge(name, url, answer),
      (error: NodeJS.ErrnoException) => unreachable(name, url, error),
    );
  const [ofPublic, ofAdmin] = await Promise.all([
    check("PUBLIC_URL", publicUrl, "/graphql", judgePublic),
    check("ADMIN_URL", adminUrl, "/api/admin/graphql", judgeAdmin),
  ]);
  return [ofPublic, ofAdmin.status === "ok" ? ((await checkOrigin(adminUrl)) ?? ofAdmin) : ofAdmin];
}

/** Without a session the panel requires a sign-in, but only of requests from its own pages, which it knows by their Origin. */
async function checkOrigin(url: string): Promise<Finding | null> {
  const answer = await ask(`${url}${ADMIN_PATHS.panel}`, { origin: new URL(url).origin }).catch(() => null);
  if (answer === null || codeIn(answer) !== "FORBIDDEN") return null;
  const message = `${url}: requests arrive without their Origin header, which the panel and Connect's launch need`;
  return failed("ADMIN_URL", message, "Let the proxy pass the Origin header unchanged");
}

function judgePublic(name: string, url: string, { status, text, sawHttps }: Answer): Finding {
  const { data } = parse(text);
  if (data?.status?.ok !== true) return elsewhere(name, url, status);
  if (url.startsWith("https:") && !sawHttps)
    return failed(name, `${url}: the service does not see that callers use HTTPS`, PROXY);
  return ok(name, `${url} responds`);
}

/** Without a key the API asks for one, but only over a transport that it accepts. */
function judgeAdmin(name: string, url: string, answer: Answer): Finding {
  const code = codeIn(answer);
  if (code === "UNAUTHENTICATED") return ok(name, `${url} responds`);
  if (code !== "FORBIDDEN") return elsewhere(name, url, answer.status);
  return failed(
    name,
    `${url}: the admin API refuses every call, because of its Host or because it sees no HTTPS`,
    PROXY,
  );
}

function elsewhere(name: string, url: string, status: number): Finding {
  if ([502, 503, 504].includes(status)) return warning(name, `${url}: the proxy reaches no api (${status})`, RESTART);
  const message = `${url}: not this service responds (${status}), but a web page, another service or a proxy's error`;
  return failed(name, message, "Correct the URL, or let the proxy pass its requests to the api unchanged");
}

function judgeCertificate(name: string, url: string, { certificateEndsAt: end }: Answer, now: Date): Finding | null {
  if (end === null || end > addMs(now, EXPIRES_SOON_MS)) return null;
  return warning(name, `${url}: its certificate expires at ${end.toISOString()}`, "Renew the certificate");
}

const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; check this machine's clock",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};
const UNTRUSTED = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

function unreachable(name: string, url: string, { code = "no response" }: NodeJS.ErrnoException): Finding {
  const problem =
    CERTIFICATE_PROBLEMS[code] ?? (UNTRUSTED.test(code) ? "the authority of its certificate is not trusted" : null);
  if (problem !== null) {
    const remedy =
      (UNTRUSTED.test(code) ? extraAuthorityProblem()?.replace("the", "The") : null) ??
      "Renew the certificate; name a private authority in NODE_EXTRA_CA_CERTS";
    return failed(name, `${url}: ${problem} (${code})`, remedy);
  }
  // Before the first start, and during a restore.
  const message = `${url} does not respond (${code})`;
  return url.startsWith("https:") ? warning(name, message, RESTART) : skipped(name, message);
}

function ask(url: string, added: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const client = url.startsWith("https:") ? https : http;
  const headers = { "content-type": "application/json", accept: "application/json", ...added };
  return new Promise((resolve, reject) => {
    const request = client.request(url, { method: "POST", headers, timeout: TIMEOUT_MS, agent: false }, (response) =>
      resolve(read(response)),
    );
    request.on("timeout", () => request.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" })));
    request.on("error", reject);
    request.end(JSON.stringify({ query: "{ status { ok } }" }));
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  // Without a certificate the object is empty.
  const end = (response.socket as Partial<TLSSocket>).getPeerCertificate?.().valid_to;
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST_CHARACTERS) break;
  }
  return {
    status: response.statusCode ?? 0,
    text,
    sawHttps: response.headers["strict-transport-security"] !== undefined,
    certificateEndsAt: end === undefined ? null : new Date(end),
  };
}

interface GraphqlAnswer {
  readonly data?: { readonly status?: { readonly ok?: unknown } } | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[];
}

function codeIn({ text }: Answer): unknown {
  return parse(text).errors?.[0]?.extensions?.code;
}

function parse(text: string): GraphqlAnswer {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
