import type pg from "pg";
import { inTransaction } from "../database/session.ts";
import { readNodes, requireReachableNodes } from "./cluster.ts";

export interface Address {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

export interface Step {
  readonly title: string;
  readonly run: () => Promise<unknown>;
}

/** Registers the address where the workers reach the coordinator, if the cluster does not know it: `wanted`, or that of `client`. */
export async function planCoordinator(client: pg.Client, wanted: Address | undefined): Promise<readonly Step[]> {
  const nodes = await readNodes(client);
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
  if (!nodes.some(({ hasShards }) => hasShards)) {
    throw new Error(
      "the cluster has no node that can have shards; add a worker with SELECT citus_add_node('<host>', <port>) on the coordinator",
    );
  }
  const known = nodes.find(({ isCoordinator }) => isCoordinator);
  if (known !== undefined) {
    if (wanted !== undefined && (wanted.host !== known.host || wanted.port !== known.port)) {
      throw new Error(
        `the cluster knows the coordinator as ${written(known)}; to change that, run SELECT citus_set_coordinator_host('${wanted.host}', ${wanted.port})`,
      );
    }
    await requireReachableNodes(client);
    return [];
  }
  const address = wanted ?? { host: client.host, port: client.port };
  if (wanted === undefined && !isKnownTo(workers, address)) {
    throw new Error("the workers do not know the address of the coordinator; pass it with --coordinator <host>:<port>");
  }
  return [
    { title: `set ${written(address)} as the address of the coordinator`, run: () => setCoordinator(client, address) },
  ];
}

/** Whether the workers can have the same name for the coordinator as this process: no Unix socket, and loopback only among themselves. */
function isKnownTo(workers: readonly Address[], { host }: Address): boolean {
  if (host.startsWith("/")) return false;
  return !isLoopback(host) || workers.every((worker) => isLoopback(worker.host));
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.|::1)/.test(host);
}

/** In one transaction, so that an address that a worker cannot reach is not stored. */
async function setCoordinator(client: pg.Client, { host, port }: Address): Promise<void> {
  await inTransaction(client, async () => {
    await client.query("SELECT citus_set_coordinator_host($1, $2)", [host, port]);
    await requireReachableNodes(client);
  });
}

function written({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
