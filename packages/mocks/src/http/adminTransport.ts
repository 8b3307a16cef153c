import { adminTransportProblem } from "@social-connect/transport";
import type { Settings } from "../state/settings.ts";
import type { Incoming } from "./exchange.ts";

/** Why a request must not reach the admin side. A mock has no proxies, and its transports are as safe as its admin host. */
export function arrivalProblem({ adminHost }: Settings, { headers, url }: Incoming): string | null {
  return adminTransportProblem(adminHost, {
    hosts: [headers.get("host") ?? url.host],
    headerNames: [...headers.keys()],
    cameOverHttps: adminHost.startsWith("https:"),
    isFromTrustedProxy: false,
    isFromLoopback: true,
  });
}
