import type { Context } from "hono";

/** A request's parameters, each value of each. The address that the Host header makes up need not be a valid one. */
export function requestQuery({ req }: Context): URLSearchParams {
  const at = req.url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : req.url.slice(at + 1).split("#", 1)[0]);
}
