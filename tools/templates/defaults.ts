import { networkInterfaces } from "node:os";

const CONNECTION_TIMEOUT_MS = 5_000;
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Pages of an application that need no linked account. */
const PAGES = ["/", `/accounts/${NOBODY}/disconnect`, `/connected?ss_session_id=${NOBODY}`] as const;

type Shapes = Readonly<Record<string, RegExp>>;

/** What the value of a header must match on every page, the SDK's launch page included. */
const COMMON_HEADERS: Shapes = {
  "content-security-policy": /frame-ancestors 'none'/,
  "x-content-type-options": /^nosniff$/,
  "cache-control": /no-store/,
  "referrer-policy": /^(?:same-origin|strict-origin)$/,
};
const OWN_HEADERS: Shapes = { ...COMMON_HEADERS, "x-frame-options": /^DENY$/ };

/** Checks by requests to a running application the defaults that all templates share. */
export async function checkDefaults(url: string): Promise<void> {
  for (const path of PAGES) checkHeaders(path, OWN_HEADERS, await fetch(url + path));
  const launch = await fetch(`${url}/connect`, {
    method: "POST",
    headers: { origin: url },
    body: new URLSearchParams({ provider: "PROVIDER_A" }),
  });
  if (launch.status !== 200) throw new Error(`the Connect button was answered with ${launch.status}`);
  checkHeaders("/connect", COMMON_HEADERS, launch);
  const [cookie = "none"] = launch.headers.getSetCookie();
  if (!/; *httponly/i.test(cookie) || !/; *samesite=lax/i.test(cookie))
    throw new Error(`the cookie of an attempt has other flags than HttpOnly and SameSite=Lax: ${cookie}`);
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  for (const { address, family, internal, scopeid } of others) {
    if (internal || (scopeid ?? 0) !== 0) continue;
    const host = family === "IPv6" ? `[${address}]` : address;
    const signal = AbortSignal.timeout(CONNECTION_TIMEOUT_MS);
    const answer = await fetch(`http://${host}:${new URL(url).port}`, { signal }).catch(() => null);
    if (answer !== null) throw new Error(`the application can be reached from other machines, at ${address}`);
  }
}

function checkHeaders(path: string, shapes: Shapes, { headers }: Response): void {
  for (const [name, shape] of Object.entries(shapes)) {
    const value = headers.get(name) ?? "";
    if (!shape.test(value)) throw new Error(`${path} has the header ${name}: ${value || "none"}`);
  }
  if (headers.has("x-powered-by")) throw new Error(`${path} names its framework`);
}
