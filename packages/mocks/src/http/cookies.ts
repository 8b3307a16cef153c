import { type BrowserAttemptKind, browserCookieName } from "@social-connect/domain";
import { parse, serialize } from "hono/utils/cookie";
import type { Settings } from "../state/settings.ts";
import type { Incoming } from "./exchange.ts";

/** The cookie that binds an attempt to the browser that launched it. */
export function bindingCookie(
  { connectHost }: Pick<Settings, "connectHost">,
  attempt: {
    readonly kind: BrowserAttemptKind;
    readonly attemptId: string;
    readonly browserSecret: string;
    readonly maxAgeSeconds: number;
  },
): [string, string] {
  const secure = isHttps(connectHost);
  const name = browserCookieName(attempt.kind, attempt.attemptId, secure);
  const options = { maxAge: attempt.maxAgeSeconds, path: "/", httpOnly: true, secure, sameSite: "Lax" } as const;
  return ["set-cookie", serialize(name, attempt.browserSecret, options)];
}

export function boundSecret(
  { connectHost }: Pick<Settings, "connectHost">,
  request: Incoming,
  kind: BrowserAttemptKind,
  attemptId: string,
): string | null {
  return cookieOf(request, browserCookieName(kind, attemptId, isHttps(connectHost)));
}

/** The cookie of the panel's session: host-only, not readable by scripts, never sent with cross-site requests. */
export function sessionCookie(settings: Settings, token: string | null): [string, string] {
  const secure = isHttps(settings.adminHost);
  const age = token === null ? { maxAge: 0 } : {};
  const options = { ...age, path: "/", httpOnly: true, secure, sameSite: "Strict" } as const;
  return ["set-cookie", serialize(sessionCookieName(settings), token ?? "", options)];
}

export function sessionTokenOf(settings: Settings, request: Incoming): string | null {
  return cookieOf(request, sessionCookieName(settings));
}

/** `Headers` joins several Cookie headers with a comma, which cookies themselves cannot contain. */
function cookieOf(request: Incoming, name: string): string | null {
  const header = request.headers.get("cookie") ?? "";
  return parse(header.replaceAll(",", ";"), name)[name] ?? null;
}

function sessionCookieName({ adminHost }: Settings): string {
  return `${isHttps(adminHost) ? "__Host-" : ""}social-connect-panel`;
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
