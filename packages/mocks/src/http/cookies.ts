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
  const name = browserCookieName(kind, attemptId, isHttps(connectHost));
  // `Headers` joins several Cookie headers with a comma, which cookies themselves cannot contain.
  const header = (request.headers.get("cookie") ?? "").replaceAll(",", ";");
  return parse(header, name)[name] ?? null;
}

function isHttps(url: string): boolean {
  return url.startsWith("https:");
}
