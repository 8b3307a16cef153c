import { PROVIDER_SLUGS } from "@social-connect/domain";
import { isPortFree } from "../platform/network/ports.ts";

export const DEFAULT_FIRST_PORT = 4400;

/** The listeners, as offsets from the first port. */
const PORT_ORDER = ["server", "simulator", "issuer", "example", "database", "clock", ...PROVIDER_SLUGS] as const;
export type PortName = (typeof PORT_ORDER)[number];
export type Ports = Readonly<Record<PortName, number>>;

export const MOST_FIRST_PORT = 65_535 - PORT_ORDER.length + 1;

export function planPorts(first: number): Ports {
  return Object.fromEntries(PORT_ORDER.map((name, index) => [name, first + index])) as Record<PortName, number>;
}

/** Checks all ports before anything is started, so that no partial start remains. */
export async function findTakenPorts(ports: Ports, needed: readonly PortName[]): Promise<PortName[]> {
  const free = await Promise.all(needed.map((name) => isPortFree(ports[name])));
  return needed.filter((_, index) => !free[index]);
}

export function describeTakenPorts(ports: Ports, taken: readonly PortName[]): string {
  const list = taken.map((name) => `${ports[name]} (${name})`).join(", ");
  const [subject, verb] = taken.length === 1 ? ["port", "is"] : ["ports", "are"];
  const last = Math.max(...Object.values(ports));
  return `${subject} ${list} ${verb} in use; choose another first port with --port N (this command uses ${ports.server} to ${last})`;
}
