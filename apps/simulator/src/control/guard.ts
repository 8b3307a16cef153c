import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../shared/http.ts";
import { jsonResponse } from "../shared/http.ts";

const LOOPBACK_ADDRESS = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/;

/** Accepts only programs on this machine: checks the IP address and the Host header, and rejects web pages. */
export const loopbackOnly: MiddlewareHandler<AppEnv> = async (call, next) => {
  const from = call.env.incoming.socket.remoteAddress ?? "";
  const host = call.req.header("host") ?? "";
  const fromPage = call.req.header("origin") !== undefined || call.req.header("sec-fetch-site") === "cross-site";
  if (!LOOPBACK_ADDRESS.test(from) || !LOOPBACK_HOST.test(host) || fromPage) {
    return jsonResponse({ error: "forbidden", message: "The control API only accepts programs on this machine." }, 403);
  }
  return next();
};
