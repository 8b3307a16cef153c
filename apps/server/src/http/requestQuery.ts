import type { Context } from "hono";

/** A request's parameters, with every value of a repeated parameter. The Host header may be invalid. */
export function requestQuery({ req }: Context): URLSearchParams {
  const at = req.url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : req.url.slice(at + 1).split("#", 1)[0]);
}
