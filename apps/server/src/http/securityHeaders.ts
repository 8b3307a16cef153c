import type { MiddlewareHandler } from "hono";

/**
 * On everything a browser sees of the service: nothing is cached, framed, scripted or told to the next site. Styles are
 * inline in the pages, which hold nothing a stranger wrote.
 */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  // An answer with a policy of its own, as the panel's files have one, brings all of these along.
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
