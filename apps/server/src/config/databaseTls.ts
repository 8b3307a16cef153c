import { isLoopbackHost } from "@social-connect/domain";
import type { Secret } from "../platform/secrets/secret.ts";
import type { SettingProblem } from "./settingsError.ts";
import type { Values } from "./variables.ts";

const REMEDY =
  "Add sslmode=verify-full to its query, and sslrootcert=/path/to/ca.crt for a private certificate authority; or set DATABASE_TLS=off";

/** By default in live mode, unless every connection stays on this machine. */
export function requiresDatabaseTls(values: Values): boolean {
  const { MODE: mode, DATABASE_TLS: tls, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = values;
  if (tls !== undefined) return tls === "require";
  return mode === "live" && [url, directUrl].some((each) => each !== undefined && !isLocalDatabase(each));
}

/** Whether the connection stays on this machine: a Unix socket or loopback. */
function isLocalDatabase(databaseUrl: Secret): boolean {
  const { hostname } = new URL(databaseUrl.reveal());
  return /^%2f/i.test(hostname) || isLoopbackHost(hostname);
}

/**
 * Why the connections would not be verified. Every connection of the service, including the schema engine's, is made by
 * `pg` from DATABASE_URL or DATABASE_DIRECT_URL, so the URLs decide for all. `pg` 8 treats `require` and `verify-ca` as
 * `verify-full`, and `pg` 9 will not, so only `verify-full` is accepted.
 */
export function databaseTlsProblems(
  { databaseUrl, databaseDirectUrl }: Readonly<Record<"databaseUrl" | "databaseDirectUrl", Secret | null>>,
  environment: Readonly<Record<string, string | undefined>>,
): SettingProblem[] {
  const problems: SettingProblem[] = [];
  if (databaseUrl === null) {
    const problem = "it is missing, and the embedded database has no TLS, which DATABASE_TLS=require needs";
    problems.push({ name: "DATABASE_URL", problem, remedy: "Set it, or set DATABASE_TLS=off" });
  }
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl })) {
    if (url === null || new URL(url.reveal()).searchParams.get("sslmode") === "verify-full") continue;
    const problem =
      "it does not require TLS with a verified certificate, and DATABASE_TLS=require (the default in live mode for a database on another machine) needs that";
    problems.push({ name, problem, remedy: REMEDY });
  }
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    const problem = "it is 0, so no certificate is verified, and DATABASE_TLS=require needs that";
    problems.push({ name: "NODE_TLS_REJECT_UNAUTHORIZED", problem, remedy: "Remove it" });
  }
  return problems;
}
