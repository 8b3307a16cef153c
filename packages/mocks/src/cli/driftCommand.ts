import { parseArgs } from "node:util";
import { DriftCheckError } from "../drift/driftCheckError.ts";
import { driftText } from "../drift/driftText.ts";
import type { CommandIo } from "./command.ts";
import { UsageError } from "./command.ts";

export const DRIFT_USAGE = `drift    holds a sandbox against the mocks: its schema, and every case that leaves nothing behind
  --url URL             base address of the sandbox; else SOCIAL_CONNECT_URL
  --key KEY             an application key; better SOCIAL_CONNECT_KEY, which no list of processes shows
  --tenant KEY          a tenant of the application, for the cases that need one; else SOCIAL_CONNECT_TENANT
  --admin-host URL      the admin side, to hold that too; else SOCIAL_CONNECT_ADMIN_HOST
  --admin-key KEY       a key for it, READ is enough; better SOCIAL_CONNECT_ADMIN_KEY
  --timeout SECONDS     for all of it; 120 by default
  --json                tells the differences as one line of JSON
  It ends with 0 when nothing differs, with 1 when something does, and with 2 when it could not be checked`;

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
  // What stands alone may be a key whose option was forgotten, so it is not left to `parseArgs`, which would repeat it.
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (positionals.length > 0) throw new UsageError("drift takes options, each with its name.");
  const { environment } = io;
  const url = values.url ?? environment["SOCIAL_CONNECT_URL"];
  const key = values.key ?? environment["SOCIAL_CONNECT_KEY"];
  const tenantKey = values.tenant ?? environment["SOCIAL_CONNECT_TENANT"];
  const adminHost = values["admin-host"] ?? environment["SOCIAL_CONNECT_ADMIN_HOST"];
  const adminKey = values["admin-key"] ?? environment["SOCIAL_CONNECT_ADMIN_KEY"];
  if (!url) throw new UsageError("Name the sandbox, with --url or SOCIAL_CONNECT_URL.");
  if (!key) throw new UsageError("There is no key: give one as SOCIAL_CONNECT_KEY, or with --key.");
  if (!adminHost !== !adminKey) throw new UsageError("The admin side takes both, --admin-host and --admin-key.");
  const timeoutMs = values.timeout === undefined ? undefined : Math.round(Number(values.timeout) * 1_000);
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw new UsageError("--timeout is a number of seconds.");

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
    io.print(values.json ? JSON.stringify({ isChecked: true, ...report }) : driftText(report));
    return report.hasDrift ? 1 : 0;
  } catch (error) {
    if (!(error instanceof DriftCheckError)) throw error;
    const { problem, message } = error;
    if (values.json) io.print(JSON.stringify({ isChecked: false, problem, message }));
    else io.warn(message);
    return 2;
  }
}
