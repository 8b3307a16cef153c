import { localRequestProblem } from "@social-connect/domain";
import type { MiddlewareHandler } from "hono";
import { type AppEnv, jsonResponse } from "../shared/http.ts";

const LOOPBACK_ADDRESS = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Accepts only programs on this machine, by its loopback names, and no web page of another origin. */
export const loopbackOnly: MiddlewareHandler<AppEnv> = async (call, next) => {
  const from = call.env.incoming.socket.remoteAddress ?? "";
  const header = (name: string) => call.req.header(name) ?? null;
  const hosts = [header("host") ?? ""];
  if (!LOOPBACK_ADDRESS.test(from) || localRequestProblem({ method: call.req.method, hosts, header }) !== null) {
    return jsonResponse({ error: "forbidden", message: "The control API only accepts programs on this machine." }, 403);
  }
  return next();
};
