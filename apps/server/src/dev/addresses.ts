import type { ByProvider } from "@social-connect/simulator";
import type { Ports } from "./ports.ts";

/** Where everything of a development set-up is reached. All of it is loopback. */
export interface DevAddresses {
  readonly server: string;
  /** The simulator's control address and the pictures. */
  readonly simulator: string;
  /** Each simulated provider, at an origin of its own. */
  readonly providers: ByProvider<string>;
  readonly issuer: string;
  readonly example: string;
  /** Origin of the second application, which has no program of its own. */
  readonly otherApplication: string;
  readonly clock: string;
}

export function planAddresses(ports: Ports): DevAddresses {
  const at = (port: number) => `http://127.0.0.1:${port}`;
  return {
    server: at(ports.server),
    simulator: at(ports.simulator),
    providers: {
      "provider-a": at(ports["provider-a"]),
      "provider-b": at(ports["provider-b"]),
      "provider-c": at(ports["provider-c"]),
    },
    issuer: at(ports.issuer),
    example: at(ports.example),
    // The same port under its other name is another origin to a browser, and to the service.
    otherApplication: `http://localhost:${ports.example}`,
    clock: at(ports.clock),
  };
}
