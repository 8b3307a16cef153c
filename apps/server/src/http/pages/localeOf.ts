import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { chooseLocale, type Locale } from "../languages/locale.ts";

/**
 * The language of a request's pages. A language that the launch form asks for is stored in a cookie, because the provider's
 * redirect does not carry it. The cookie contains a known language, and nothing about the visitor.
 */
export function localeOfLaunch(
  context: Context,
  publicUrl: URL,
  uiLocales: string | null,
  maxAgeSeconds: number,
): Locale {
  const locale = chooseLocale(uiLocales, context.req.header("accept-language") ?? null);
  if (uiLocales !== null) {
    const secure = isSecure(publicUrl);
    const options = { path: "/", httpOnly: true, secure, sameSite: "Lax", maxAge: maxAgeSeconds } as const;
    setCookie(context, cookieName(secure), locale.tag, options);
  }
  return locale;
}

export function localeOfRequest(context: Context, publicUrl: URL): Locale {
  const asked = getCookie(context, cookieName(isSecure(publicUrl))) ?? null;
  return chooseLocale(asked, context.req.header("accept-language") ?? null);
}

function isSecure({ protocol }: URL): boolean {
  return protocol === "https:";
}

function cookieName(secure: boolean): string {
  return `${secure ? "__Host-" : ""}social-connect-language`;
}
