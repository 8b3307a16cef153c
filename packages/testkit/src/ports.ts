import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
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
    if (keepers.every((keeper) => keeper !== null) && (await Promise.all(ports.map(isFree))).every(Boolean))
      return first;
    for (const keeper of keepers) keeper?.close();
  }
}

/** Whether a server could listen on this loopback port now. */
async function isFree(port: number): Promise<boolean> {
  await using server = createServer();
  const listening = once(server.listen({ port, host: "127.0.0.1", exclusive: true }), "listening");
  return (await listening.catch(() => null)) !== null;
}

async function keep(port: number): Promise<Socket | null> {
  const socket = createSocket("udp4");
  const bound = once(socket.bind({ port, address: "127.0.0.1", exclusive: true }), "listening");
  return (await bound.catch(() => null)) && socket.unref();
}
