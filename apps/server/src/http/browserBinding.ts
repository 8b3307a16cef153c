import { type BrowserAttemptKind, browserCookieName } from "@social-connect/domain";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Secret } from "../platform/secrets/secret.ts";

/**
 * The cookie that binds an attempt to the browser in which it was launched. One cookie per attempt, so two tabs can run
 * attempts concurrently; host-only and, except on plain-HTTP loopback, with the prefix that makes browsers enforce that
 * (RFC 6265bis 4.1.3.2).
 */
export function bindBrowser(
  context: Context,
  publicUrl: URL,
  attempt: {
    readonly kind: BrowserAttemptKind;
    readonly attemptId: string;
    readonly browserSecret: Secret;
    readonly maxAgeSeconds: number;
  },
): void {
  const secure = publicUrl.protocol === "https:";
  setCookie(context, browserCookieName(attempt.kind, attempt.attemptId, secure), attempt.browserSecret.reveal(), {
    path: "/",
    httpOnly: true,
    secure,
    sameSite: "Lax",
    maxAge: attempt.maxAgeSeconds,
  });
}

export function boundBrowserSecret(
  context: Context,
  publicUrl: URL,
  kind: BrowserAttemptKind,
  attemptId: string,
): string | null {
  return getCookie(context, browserCookieName(kind, attemptId, publicUrl.protocol === "https:")) ?? null;
}
