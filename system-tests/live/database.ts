import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { runStatement } from "../../packages/testkit/src/database.ts";
import { startTemporaryDatabase } from "../../packages/testkit/src/harness/temporaryDatabase.ts";
import { programFolders, startPostgres } from "../../tools/postgres.ts";
import { type Authority, readCertificate } from "../deployment/certificates.ts";

/** As the page writes it. */
const ADMINISTRATOR_PASSWORD = "secret";

/**
 * Starts a PostgreSQL that demands passwords, with the page's administrator and an empty database `service`: an installed one as on another
 * host, with TLS, or the embedded one on this machine. `programs`: the folder with `pg_dump`, which the embedded one does not have.
 */
export async function startDatabase(
  authority: Authority,
  shutdown: AsyncDisposableStack,
  { isBundled, parent }: { readonly isBundled: boolean; readonly parent?: string },
) {
  const programs = isBundled ? undefined : programFolders().find(isInstalled);
  if (programs === undefined) {
    const url = shutdown.use(await startTemporaryDatabase()).url("postgres");
    await runStatement(url, `CREATE USER postgres SUPERUSER PASSWORD '${ADMINISTRATOR_PASSWORD}'`);
    await runStatement(url, "CREATE DATABASE service OWNER postgres");
    const address = `127.0.0.1:${new URL(url).port}`;
    return { address, isRemote: false, description: "the embedded PostgreSQL on this machine", programs };
  }
  const { host, within, description } = otherHost(shutdown);
  const { cert, key } = await readCertificate(await authority.certify(`database-${host}`, `IP:${host}`));
  const files = { "server.crt": cert, "server.key": key, "pg_hba.conf": "host all all samenet trust\n" };
  const settings = { ssl: "on", min_wal_size: "32MB", max_wal_size: "64MB" };
  const place = { host, within, files, ...(parent !== undefined && { parent }) };
  const { folder, port, url, stop } = await startPostgres(programs, settings, place);
  shutdown.defer(stop);
  await runStatement(url("postgres"), "CREATE DATABASE service");
  await runStatement(url("postgres"), `ALTER USER postgres PASSWORD '${ADMINISTRATOR_PASSWORD}'`);
  await writeFile(join(folder, "pg_hba.conf"), "hostssl all all samenet scram-sha-256\n");
  await runStatement(url("postgres"), "SELECT pg_reload_conf()");
  return { address: `${host}:${port}`, isRemote: true, description, programs };
}

const isInstalled = (bin: string) => ["postgres", "initdb", "pg_dump"].every((name) => existsSync(join(bin, name)));

/** A network namespace with a separate address (from the networks for measurements, RFC 2544), or another address of this machine. */
function otherHost(shutdown: AsyncDisposableStack) {
  const name = `live-${process.pid}`;
  const network = `198.18.${process.pid % 256}`;
  const steps = [
    ["netns", "add", name],
    ["link", "add", `${name}-a`, "type", "veth", "peer", "name", `${name}-b`, "netns", name],
    ["addr", "add", `${network}.1/30`, "dev", `${name}-a`],
    ["link", "set", `${name}-a`, "up"],
    ["-n", name, "addr", "add", `${network}.2/30`, "dev", `${name}-b`],
    ["-n", name, "link", "set", `${name}-b`, "up"],
    ["-n", name, "link", "set", "lo", "up"],
  ];
  const failed = steps.find((parameters) => spawnSync("ip", parameters).status !== 0);
  // Its interfaces end with it.
  if (failed !== steps[0]) shutdown.defer(async () => void spawnSync("ip", ["netns", "delete", name]));
  if (failed === undefined)
    return { host: `${network}.2`, within: ["ip", "netns", "exec", name], description: "on another host, with TLS" };
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const { address } = addresses.find(({ family, internal }) => family === "IPv4" && !internal) ?? {};
  if (address === undefined)
    throw new Error(`${hostname()} has no address but loopback, and \`ip netns\` cannot be used`);
  const description = `with TLS at another address of this machine (SKIPPED: a network namespace, because ip ${failed.join(" ")} failed)`;
  return { host: address, within: [], description };
}
