import type { IncomingMessage } from "node:http";
import { adminTransportProblem } from "@social-connect/transport";
import type { Service } from "../modules/service.ts";
import { plainAddress } from "./clientAddress.ts";
import { isFromTrustedProxy, isHttps } from "./requestScheme.ts";

/** Why a request may not reach the admin API or panel over its transport; null when it may. */
export function arrivalProblem(
  request: IncomingMessage,
  { adminHost, trustedProxies }: Pick<Service, "adminHost" | "trustedProxies">,
): string | null {
  const headers = request.headersDistinct;
  return adminTransportProblem(adminHost, {
    hosts: headers["host"] ?? [],
    headerNames: Object.keys(headers),
    cameOverHttps: isHttps(request, trustedProxies),
    isFromTrustedProxy: isFromTrustedProxy(request, trustedProxies),
    isFromLoopback: isLoopbackPeer(plainAddress(request.socket.remoteAddress ?? "")),
  });
}

function isLoopbackPeer(address: string): boolean {
  return address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}
