import { bySlug } from "@social-connect/domain";
import type { ByProvider } from "@social-connect/simulator";
import type { Ports } from "./ports.ts";

/** The URLs of a development environment, all on loopback. */
export interface DevAddresses {
  readonly server: string;
  /** The simulator's control API and pictures. */
  readonly simulator: string;
  /** Each simulated provider, at its own origin. */
  readonly providers: ByProvider<string>;
  readonly issuer: string;
  readonly example: string;
  /** Origin of the second application, for which no program runs. */
  readonly otherApplication: string;
  readonly clock: string;
}

export function planAddresses(ports: Ports): DevAddresses {
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
