import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../shared/http.ts";
import { jsonAnswer } from "../shared/http.ts";

const LOOPBACK_ADDRESS = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/;

/** Lets only programs on this machine through: by their address, by the host they ask for, and never a web page. */
export const loopbackOnly: MiddlewareHandler<AppEnv> = async (call, next) => {
  const from = call.env.incoming.socket.remoteAddress ?? "";
  const host = call.req.header("host") ?? "";
  const fromPage = call.req.header("origin") !== undefined || call.req.header("sec-fetch-site") === "cross-site";
  if (!LOOPBACK_ADDRESS.test(from) || !LOOPBACK_HOST.test(host) || fromPage) {
    return jsonAnswer(
      { error: "forbidden", message: "The control address answers programs on this machine only." },
      403,
    );
  }
  return next();
};
