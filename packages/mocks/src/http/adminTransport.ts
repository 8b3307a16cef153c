import { isLoopbackName } from "@social-connect/domain";
import type { Settings } from "../state/settings.ts";
import type { Incoming } from "./exchange.ts";

/**
 * True when a request may not reach the admin side the way it came: to another host than the admin host, over plain http
 * that is not loopback's, or with a header that says a proxy forwarded it. Source: service description, part 4.
 */
export function adminTransportProblem({ adminHost }: Settings, { headers, url }: Incoming): boolean {
  const adminUrl = new URL(adminHost);
  const host = headers.get("host") ?? url.host;
  const wasForwarded = [...headers.keys()].some((name) => name === "forwarded" || name.startsWith("x-forwarded-"));
  const isSafe = adminUrl.protocol === "https:" || isLoopbackName(adminUrl.hostname);
  return host.toLowerCase() !== adminUrl.host || wasForwarded || !isSafe;
}
