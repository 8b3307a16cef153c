import { isLoopbackName } from "@social-connect/domain";
import type { Settings } from "../state/settings.ts";
import type { Incoming } from "./exchange.ts";

/**
 * True for a request that the admin API rejects before authentication: to a host other than the admin host, over plain
 * HTTP except on loopback, or forwarded by a proxy. Source: service description, part 4.
 */
export function adminTransportProblem({ adminHost }: Settings, { headers, url }: Incoming): boolean {
  const adminUrl = new URL(adminHost);
  const host = headers.get("host") ?? url.host;
  const wasForwarded = [...headers.keys()].some((name) => name === "forwarded" || name.startsWith("x-forwarded-"));
  const isSafe = adminUrl.protocol === "https:" || isLoopbackName(adminUrl.hostname);
  return host.toLowerCase() !== adminUrl.host || wasForwarded || !isSafe;
}
