import type { MiddlewareHandler } from "hono";

/**
 * For every browser response: no caching, framing, scripts or referrer. Styles are inline in the pages, which contain
 * no user input.
 */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  // A response with its own policy, such as the panel's files, includes all of these.
  if (context.res.headers.has("content-security-policy")) return;
  context.header("cache-control", "no-store");
  context.header("referrer-policy", "no-referrer");
  context.header("x-content-type-options", "nosniff");
  context.header("x-frame-options", "DENY");
  context.header(
    "content-security-policy",
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
};
