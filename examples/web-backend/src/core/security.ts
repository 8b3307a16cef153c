import { createMiddleware } from "hono/factory";
import type { AppEnvironment, Dependencies } from "./context.ts";

/**
 * Scripts, styles and requests of this origin only, images from the configured origins, nothing inline. The launch page
 * has its own policy, which replaces this one. `same-origin` keeps the forms' Origin header, which the CSRF check needs.
 */
export function securityHeaders({ settings }: Dependencies) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    ["img-src 'self'", ...settings.imageOrigins].join(" "),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return createMiddleware<AppEnvironment>(async (c, next) => {
    c.header("content-security-policy", policy);
    c.header("referrer-policy", "same-origin");
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    return next();
  });
}
