import { parseArgs } from "node:util";
import { printableJson } from "@social-connect/contract";
import { DriftCheckError } from "../drift/boundedFetch.ts";
import { driftText } from "../drift/driftReport.ts";
import { type CommandIo, UsageError } from "./commandIo.ts";

export const DRIFT_USAGE = `drift    compares a sandbox with the mocks: its schema, and every conformance case without side effects
  --url URL             base URL of the sandbox; by default SOCIAL_CONNECT_URL
  --key KEY             an application key; prefer SOCIAL_CONNECT_KEY, which process lists do not show
  --tenant KEY          a tenant of the application, for cases that require one; by default SOCIAL_CONNECT_TENANT
  --admin-host URL      the admin host, to check the admin API too; by default SOCIAL_CONNECT_ADMIN_HOST
  --admin-key KEY       an API key for it, READ or WRITE; prefer SOCIAL_CONNECT_ADMIN_KEY
  --timeout SECONDS     timeout of the whole check; 120 by default
  --json                prints one line of JSON
  Exits with 0 without differences, with 1 for differences, and with 2 when the check failed`;

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  tenant: { type: "string" },
  "admin-host": { type: "string" },
  "admin-key": { type: "string" },
  timeout: { type: "string" },
  json: { type: "boolean" },
} as const;

export async function drift(args: readonly string[], io: CommandIo): Promise<number> {
  // A positional argument may be a key without its option, and an error of `parseArgs` would print it.
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (positionals.length > 0) throw new UsageError("drift has no positional arguments.");
  const { environment } = io;
  const url = values.url ?? environment["SOCIAL_CONNECT_URL"];
  const key = values.key ?? environment["SOCIAL_CONNECT_KEY"];
  const tenantKey = values.tenant ?? environment["SOCIAL_CONNECT_TENANT"];
  const adminHost = values["admin-host"] ?? environment["SOCIAL_CONNECT_ADMIN_HOST"];
  const adminKey = values["admin-key"] ?? environment["SOCIAL_CONNECT_ADMIN_KEY"];
  if (!url) throw new UsageError("Pass the sandbox with --url or SOCIAL_CONNECT_URL.");
  if (!key) throw new UsageError("Pass a key with SOCIAL_CONNECT_KEY or --key.");
  if (!adminHost !== !adminKey) throw new UsageError("Pass both --admin-host and --admin-key.");
  const timeoutMs = values.timeout === undefined ? undefined : Math.round(Number(values.timeout) * 1_000);
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw new UsageError("--timeout must be a number of seconds.");

  const stop = new AbortController();
  void io.untilStopped().then(() => stop.abort());
  const { checkDrift } = await import("../drift/checkDrift.ts");
  try {
    const report = await checkDrift({
      url,
      key,
      ...(tenantKey && { tenantKey }),
      ...(adminHost && adminKey && { admin: { host: adminHost, key: adminKey } }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      signal: stop.signal,
    });
    io.print(values.json ? printableJson({ isChecked: true, ...report }, 0) : driftText(report));
    return report.hasDrift ? 1 : 0;
  } catch (error) {
    if (!(error instanceof DriftCheckError)) throw error;
    const { problem, message } = error;
    if (values.json) io.print(printableJson({ isChecked: false, problem, message }, 0));
    else io.warn(message);
    return 2;
  }
}
