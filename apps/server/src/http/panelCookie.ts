import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { deleteCookie, setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import type { Secret } from "../platform/secrets/secret.ts";

/**
 * The panel's session cookie: host-only, HttpOnly, SameSite=Strict and, except on plain-HTTP loopback, with the prefix
 * that makes browsers enforce that (RFC 6265bis 4.1.3.2).
 */
export function setSessionCookie(context: Context, adminUrl: URL, token: Secret): void {
  setCookie(context, cookieName(adminUrl), token.reveal(), attributes(adminUrl));
}

export function dropSessionCookie(context: Context, adminUrl: URL): void {
  deleteCookie(context, cookieName(adminUrl), attributes(adminUrl));
}

export function sessionTokenOf(request: IncomingMessage, adminUrl: URL): string | null {
  const name = cookieName(adminUrl);
  return parse(request.headers.cookie ?? "", name)[name] ?? null;
}

function attributes(adminUrl: URL) {
  return { path: "/", httpOnly: true, secure: isSecure(adminUrl), sameSite: "Strict" as const };
}

function cookieName(adminUrl: URL): string {
  return `${isSecure(adminUrl) ? "__Host-" : ""}social-connect-panel`;
}

function isSecure(adminUrl: URL): boolean {
  return adminUrl.protocol === "https:";
}
