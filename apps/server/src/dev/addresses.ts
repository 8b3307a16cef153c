import { bySlug } from "@social-connect/domain";
import type { Ports } from "./ports.ts";

/** The URLs of a development environment, all on loopback. */
export type DevAddresses = ReturnType<typeof planAddresses>;

export function planAddresses(ports: Ports) {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return {
    server: at(ports.server),
    simulator: at(ports.simulator),
    providers: bySlug((provider) => at(ports[provider])),
    issuer: at(ports.issuer),
    example: at(ports.example),
    // The same port under the other host name is a different origin for browsers and for the service.
    otherApplication: `http://localhost:${ports.example}`,
    clock: at(ports.clock),
  };
}
