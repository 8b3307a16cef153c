import { nodeVersionProblem } from "../../config/nodeVersion.ts";
import type { Settings } from "../../config/settings.ts";
import type { freeBytes } from "../../platform/freeBytes.ts";
import type { Finding } from "./finding.ts";
import { failed, ok, skipped, warning } from "./finding.ts";

const MEGABYTE = 1_048_576;
/** A database that cannot write its log stops. */
const LEAST_FREE_MB = 200;
const LOW_FREE_MB = 2_000;

export function checkNode(version: string): Finding {
  const problem = nodeVersionProblem(version);
  return problem === null ? ok("node", `Node ${version}`) : failed("node", problem, "Install a newer Node");
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

/** Which proxies are trusted to name the caller's address and protocol. */
export function checkProxies({ trustedProxies, publicUrl, adminUrl }: Settings): Finding {
  const everyone = trustedProxies.find((proxy) => /\/0+$/.test(proxy));
  if (everyone !== undefined) {
    const message = `${everyone} trusts every address, so a caller can claim any address and HTTPS`;
    return failed("proxies", message, "Set TRUSTED_PROXIES to the addresses of your proxies only");
  }
  const isBehindTls = [publicUrl, adminUrl].some((url) => url.startsWith("https:"));
  if (isBehindTls && trustedProxies.length === 0) {
    const message = "PUBLIC_URL or ADMIN_URL is https, and no proxy is trusted: the admin API refuses every call";
    return warning("proxies", message, "Set TRUSTED_PROXIES to the address of the proxy that terminates TLS");
  }
  return ok("proxies", trustedProxies.length === 0 ? "none" : `${trustedProxies.length} trusted`);
}
