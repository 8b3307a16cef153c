import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Below the ephemeral ports, which start at 32,768 on Linux. */
const RANGE = { first: 20_000, last: 32_000 } as const;

/** A port for a server that this process is about to start; see `reservePorts`. */
export async function reservePort(): Promise<number> {
  return reservePorts(1);
}

/**
 * The first of `count` consecutive free ports, reserved for this process until it ends, before any server listens
 * there. The reservation is a UDP socket on the same port, which leaves the TCP port free and which the system closes
 * however the process ends.
 */
export async function reservePorts(count: number): Promise<number> {
  for (;;) {
    const first = RANGE.first + Math.floor(Math.random() * (RANGE.last - RANGE.first - count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const keepers = await Promise.all(ports.map(keep));
    if (keepers.every((keeper) => keeper !== null) && (await areFree(ports))) return first;
    for (const keeper of keepers) keeper?.close();
  }
}

/** Whether servers could listen on these loopback ports now. */
async function areFree(ports: readonly number[]): Promise<boolean> {
  const free = ports.map(async (port) => {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen({ port, host: "127.0.0.1", exclusive: true }, () => resolve(true));
    });
    if (isFree) await new Promise((resolve) => server.close(resolve));
    return isFree;
  });
  return (await Promise.all(free)).every(Boolean);
}

async function keep(port: number): Promise<ReturnType<typeof createSocket> | null> {
  const socket = createSocket("udp4");
  const isKept = await new Promise<boolean>((resolve) => {
    socket.once("error", () => resolve(false));
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
  });
  if (!isKept) return null;
  return socket.unref();
}
