import type { IncomingMessage } from "node:http";
import { isLoopbackName } from "@social-connect/domain";
import type { Service } from "../modules/service.ts";
import { plainAddress } from "./clientAddress.ts";
import { isFromTrustedProxy, isHttps } from "./requestScheme.ts";

type AdminDeployment = Pick<Service, "adminHost" | "trustedProxies">;

/**
 * Why a request may not reach the admin side the way it came; null when it may. It comes to the deployment's admin host,
 * over https: by the connection itself, or by the word of a trusted proxy. Plain http will do from loopback where the
 * deployment names an http address on loopback as its admin host. From anybody else a forwarding header is no word but a
 * sign that the request is not what it looks like. Source: service description, part 4; `docs/explanation/admin-access.md`.
 */
export function adminTransportProblem(request: IncomingMessage, deployment: AdminDeployment): string | null {
  const adminUrl = new URL(deployment.adminHost);
  const hosts = request.headersDistinct["host"] ?? [];
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== adminUrl.host) return "the wrong host";
  const cameOverHttps = isHttps(request, deployment.trustedProxies);
  if (isFromTrustedProxy(request, deployment.trustedProxies)) {
    return cameOverHttps ? null : "the proxy did not take it over https";
  }
  if (hasForwardingHeader(request)) return "it was forwarded by a proxy that is not trusted";
  if (cameOverHttps) return null;
  const isDeclared = adminUrl.protocol === "http:" && isLoopbackName(adminUrl.hostname);
  return isDeclared && isLoopbackPeer(plainAddress(request.socket.remoteAddress ?? "")) ? null : "plain http";
}

function hasForwardingHeader(request: IncomingMessage): boolean {
  return Object.keys(request.headersDistinct).some((name) => name === "forwarded" || name.startsWith("x-forwarded-"));
}

function isLoopbackPeer(address: string): boolean {
  return address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}
