import type { Settings } from "../state/settings.ts";
import type { Incoming } from "./exchange.ts";

/** The cookie of the panel's session: host-only, out of reach of scripts, never sent with what another site starts. */
export function sessionCookie(settings: Settings, token: string | null): [string, string] {
  const secure = isSecure(settings) ? "Secure; " : "";
  const age = token === null ? "Max-Age=0; " : "";
  return ["set-cookie", `${nameOf(settings)}=${token ?? ""}; ${age}Path=/; HttpOnly; ${secure}SameSite=Strict`];
}

export function sessionTokenOf(settings: Settings, request: Incoming): string | null {
  for (const pair of (request.headers.get("cookie") ?? "").split(/[;,]/)) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === nameOf(settings)) return pair.slice(at + 1).trim();
  }
  return null;
}

function nameOf(settings: Settings): string {
  return `${isSecure(settings) ? "__Host-" : ""}social-connect-panel`;
}

function isSecure({ adminHost }: Settings): boolean {
  return adminHost.startsWith("https:");
}
