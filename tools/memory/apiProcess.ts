import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { reservePort } from "../../apps/server/src/platform/ports.ts";
import type { ProbeReport } from "./probe.ts";

const SERVER = fileURLToPath(new URL("../../apps/server/src/cli/cli.ts", import.meta.url));
const PROBE = new URL("./probe.ts", import.meta.url).href;
/** The same for all processes, which may share a database. */
const ENCRYPTION_KEYS = `memory:${randomBytes(32).toString("base64")}`;
const HEAP_MEGABYTES = 256;
const FLAGS = [
  `--max-old-space-size=${HEAP_MEGABYTES}`,
  "--expose-gc",
  "--conditions=@social-connect/source",
  "--disable-warning=ExperimentalWarning",
  `--import=${PROBE}`,
];

export interface ApiProcess {
  readonly port: number;
  readonly metricsPort: number;
  readonly child: ChildProcess;
  report(): Promise<ProbeReport>;
  stop(): Promise<void>;
}

/** The server's own program in the role of the API, with a small heap and a probe. */
export async function startApiProcess(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const [port, metricsPort] = [await reservePort(), await reservePort()];
  const child = spawn(process.execPath, [...FLAGS, SERVER, "start", "--role", "api"], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS,
      LOG_LEVEL: "warn",
      DRAIN_SECONDS: "0",
      METRICS_PORT: String(metricsPort),
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code, signal) => reject(new Error(`The server ended before it listened (${signal ?? code}).`)));
    child.stdout?.on("data", (chunk: Buffer) => chunk.includes("listening at") && resolve());
  });
  child.removeAllListeners("exit");
  return {
    port,
    metricsPort,
    child,
    report: async () => {
      if (!child.connected) throw new Error(`The server ended (${child.signalCode ?? child.exitCode}).`);
      const answered = once(child, "message", { signal: AbortSignal.timeout(60_000) });
      child.send("report");
      const [report] = (await answered) as [ProbeReport];
      return report;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** An application with a key; gives the key. */
export async function createApplicationKey(databaseUrl: string, slug: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const [applicationId, keyId, secret] = [randomUUID(), randomUUID(), randomBytes(32).toString("hex")];
    await client.query(
      `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
       VALUES ($1, $2, $2, '{}', '{}', '{tenant}', now(), now())`,
      [applicationId, slug],
    );
    await client.query(
      "INSERT INTO application_key (id, application_id, secret_hash, created_at) VALUES ($1, $2, $3, now())",
      [keyId, applicationId, createHash("sha256").update(secret).digest()],
    );
    return `${keyId}.${secret}`;
  } finally {
    await client.end();
  }
}
