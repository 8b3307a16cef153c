import { createHash, randomBytes, randomUUID } from "node:crypto";
import { probeOptions } from "../../packages/testkit/src/harness/probe.ts";
import { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { SERVICE_COMMAND } from "../../packages/testkit/src/harness/startedProgram.ts";
import { runStatement } from "../../packages/testkit/src/index.ts";

const [NODE, ...PARAMETERS] = SERVICE_COMMAND;
/** The same for all processes, which may share a database. */
const ENCRYPTION_KEYS = `memory:${randomBytes(32).toString("base64")}`;

/** The server's own program in the role of the API, with a small heap and a probe. */
export function startApiProcess(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  return ServiceProcess.start({
    role: "api",
    command: [NODE, ...probeOptions(), ...PARAMETERS],
    environment: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS,
      LOG_LEVEL: "warn",
      DRAIN_SECONDS: "0",
      ...settings,
    },
  });
}

/** An application with a key; gives the key. */
export async function createApplicationKey(databaseUrl: string, slug: string): Promise<string> {
  const [applicationId, keyId, secret] = [randomUUID(), randomUUID(), randomBytes(32).toString("hex")];
  await runStatement(
    databaseUrl,
    `INSERT INTO application (id, slug, display_name, providers, capabilities, tenant_keys, created_at, updated_at)
     VALUES ($1, $2, $2, '{}', '{}', '{tenant}', now(), now())`,
    [applicationId, slug],
  );
  await runStatement(
    databaseUrl,
    "INSERT INTO application_key (id, application_id, secret_hash, created_at) VALUES ($1, $2, $3, now())",
    [keyId, applicationId, createHash("sha256").update(secret).digest()],
  );
  return `${keyId}.${secret}`;
}
