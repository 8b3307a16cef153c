import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { dirname } from "node:path";
import { nodeVersionProblem } from "../../config/nodeVersion.ts";
import type { Settings } from "../../config/settings.ts";
import type { freeBytes } from "../../platform/process/freeBytes.ts";
import { type Finding, failed, ok, skipped, warning } from "./finding.ts";

const MEGABYTE = 1_048_576;
/** A database that cannot write its log stops. */
const LEAST_FREE_MB = 200;
const LOW_FREE_MB = 2_000;

export function checkNode(version: string): Finding {
  const problem = nodeVersionProblem(version);
  return problem === null ? ok("node", `Node ${version}`) : failed("node", problem, "Install a newer Node");
}

/** Whether this process can write its data folder, or create it. */
export async function checkDataFolder({
  databaseUrl,
  dataFolder,
}: Pick<Settings, "databaseUrl" | "dataFolder">): Promise<Finding> {
  if (databaseUrl !== null) return skipped("data folder", "DATABASE_URL is set, so it is not used");
  const problem = await folderProblem(dataFolder);
  if (problem === null) return ok("data folder", `${dataFolder} can be written`);
  return failed(
    "data folder",
    problem,
    "Set DATA_DIR to a folder that the user of this process can write, or set DATABASE_URL",
  );
}

async function folderProblem(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(folder) !== folder) return folderProblem(dirname(folder));
    return `${folder} cannot be written (${code})`;
  }
}

/** The data folder has the embedded database and local encryption keys; other deployments write nothing to disk. */
export async function checkDisk(
  { databaseUrl, dataFolder }: Pick<Settings, "databaseUrl" | "dataFolder">,
  readFreeBytes: typeof freeBytes,
): Promise<Finding> {
  if (databaseUrl !== null) return skipped("disk", "DATABASE_URL is set, and the service itself writes no files");
  const free = Math.floor((await readFreeBytes(dataFolder)) / MEGABYTE);
  const message = `${free.toLocaleString("en")} MB are free for the embedded database`;
  if (free < LEAST_FREE_MB) return failed("disk", message, "Free space, or move DATA_DIR to a larger disk");
  return free < LOW_FREE_MB ? warning("disk", message, "Free space soon") : ok("disk", message);
}

/** The largest private networks of IPv4 (RFC 1918), and the smallest that a registry gives to a provider of IPv6. */
const WIDEST = { ipv4: 8, ipv6: 16 } as const;
/** Unique local and link-local addresses of IPv6, which are never routed on the internet. */
const LOCAL_IPV6 = /^f(?:[cd]|e[89ab])/i;

/** Whether a network is too large to have only the addresses of someone's proxies. */
function isWide(network: string): boolean {
  const [address = "", prefix] = network.split("/");
  if (prefix === undefined) return false;
  if (isIP(address) === 4) return Number(prefix) < WIDEST.ipv4;
  return Number(prefix) < WIDEST.ipv6 && !(LOCAL_IPV6.test(address) && Number(prefix) >= 7);
}

/** Which proxies are trusted to name the caller's address and protocol. */
export function checkProxies({ trustedProxies, publicUrl, adminUrl }: Settings): Finding {
  const everyone = trustedProxies.find(isWide);
  if (everyone !== undefined) {
    const message = `${everyone} trusts almost any address, so a caller can claim any address and HTTPS`;
    return failed("proxies", message, "Set TRUSTED_PROXIES to the addresses of your proxies only");
  }
  const isBehindTls = [publicUrl, adminUrl].some((url) => url.startsWith("https:"));
  if (isBehindTls && trustedProxies.length === 0) {
    const message = "PUBLIC_URL or ADMIN_URL is https, and no proxy is trusted: the admin API refuses every call";
    return warning("proxies", message, "Set TRUSTED_PROXIES to the address of the proxy that terminates TLS");
  }
  return ok("proxies", trustedProxies.length === 0 ? "none" : `${trustedProxies.length} trusted`);
}
