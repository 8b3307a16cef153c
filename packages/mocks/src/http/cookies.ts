import type { BrowserAttemptKind } from "@social-connect/domain";
import { browserCookieName } from "@social-connect/domain";
import type { Settings } from "../state/settings.ts";
import type { Incoming } from "./exchange.ts";

/** The cookie that ties an attempt to the browser it was launched in. */
export function bindingCookie(
  { connectHost }: Pick<Settings, "connectHost">,
  attempt: {
    readonly kind: BrowserAttemptKind;
    readonly attemptId: string;
    readonly browserSecret: string;
    readonly maxAgeSeconds: number;
  },
): [string, string] {
  const secure = connectHost.startsWith("https:");
  const name = browserCookieName(attempt.kind, attempt.attemptId, secure);
  const attributes = `Max-Age=${attempt.maxAgeSeconds}; Path=/; HttpOnly; ${secure ? "Secure; " : ""}SameSite=Lax`;
  return ["set-cookie", `${name}=${attempt.browserSecret}; ${attributes}`];
}

/** The secret that this browser was given for an attempt; null when it was given none. */
export function boundSecret(
  { connectHost }: Pick<Settings, "connectHost">,
  request: Incoming,
  kind: BrowserAttemptKind,
  attemptId: string,
): string | null {
  const name = browserCookieName(kind, attemptId, connectHost.startsWith("https:"));
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
