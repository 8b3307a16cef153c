import { createServer } from "node:net";
import { reachableHost } from "@social-connect/domain";
import { readConnectionRoom } from "../../composition/connectionRoom.ts";
import { type OperatorAccess, openForOperator } from "../../composition/operatorAccess.ts";
import { hasLocalEncryptionKeys } from "../../config/localEncryptionKey.ts";
import { isSet } from "../../config/secretSources.ts";
import { readSettings, type Settings } from "../../config/settings.ts";
import { SettingsError } from "../../config/settingsError.ts";
import { pendingMigrations } from "../../platform/database/migrations.ts";
import { hasEmbeddedDatabase } from "../../platform/embeddedDatabase/start.ts";
import { nameSome } from "../../platform/nameSome.ts";
import { LISTEN_PROBLEMS } from "../../platform/network/httpListener.ts";
import { readMode, WRONG_MODE_REMEDY } from "../../platform/process/deploymentMode.ts";
import { FolderInUseError } from "../../platform/process/folderLock.ts";
import { freeBytes } from "../../platform/process/freeBytes.ts";
import { findQueueProblem } from "../../worker/boss.ts";
import { checkClock, checkConnections, checkRole, checkServer, readFacts } from "./databaseChecks.ts";
import { type Finding, failed, ok, skipped } from "./finding.ts";
import { checkDataFolder, checkDisk, checkNode, checkProxies } from "./machine.ts";
import { checkPublicUrls } from "./publicUrls.ts";
import {
  checkAdmins,
  checkEncryption,
  checkEvents,
  checkIssuer,
  checkKeyExpiry,
  checkProviders,
  checkSweeps,
  checkTimes,
} from "./serviceChecks.ts";

/** What the checks read besides the settings. */
export interface Surroundings {
  readonly nodeVersion: string;
  readonly freeBytes: (folder: string) => Promise<number>;
  /** This machine's clock. */
  readonly now: () => Date;
}

export const REAL_SURROUNDINGS: Surroundings = {
  nodeVersion: process.versions.node,
  freeBytes,
  now: () => new Date(),
};

/** Checks a deployment's settings, machine, database, issuer, providers and endpoints for events. Changes nothing. */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
  surroundings: Surroundings = REAL_SURROUNDINGS,
): Promise<Finding[]> {
  const node = checkNode(surroundings.nodeVersion);
  const settings = readAll(environment);
  if (!("mode" in settings)) return [node, ...settings, skipped("database", "the settings are invalid")];
  const folder = await checkDataFolder(settings);
  const machine = [
    node,
    ok("settings", `${settings.mode} mode`),
    checkProxies(settings),
    await checkPorts(settings),
    ...(await checkPublicUrls(settings, surroundings.now())),
    await checkTraces(settings, environment),
    folder,
    folder.status === "failed"
      ? skipped("disk", "the data folder cannot be written")
      : await checkDisk(settings, surroundings.freeBytes),
  ];
  return [...machine, ...(await openDatabase(settings, surroundings))];
}

async function openDatabase(settings: Settings, surroundings: Surroundings): Promise<Finding[]> {
  const { databaseUrl, dataFolder } = settings;
  try {
    if (databaseUrl === null && !(await hasEmbeddedDatabase(dataFolder))) {
      return [skipped("database", `the first start creates it in ${dataFolder}`)];
    }
    // Without a key, the command would create one.
    const hasKeys = settings.encryptionKeys.length > 0 || hasLocalEncryptionKeys(dataFolder);
    return await openForOperator(settings, hasKeys ? "with encryption keys" : "without encryption keys", (access) =>
      examineDatabase(settings, access, surroundings),
    );
  } catch (error) {
    // Prisma's messages begin with the call and an empty line.
    const message = (error as Error).message.trim().split("\n").at(-1) || String(error);
    if (error instanceof FolderInUseError) {
      return [skipped("database", `process ${error.pid} uses ${dataFolder}; check its database when it has ended`)];
    }
    const remedy = databaseUrl === null ? "Correct DATA_DIR or the folder" : "Correct DATABASE_URL or the database";
    return [failed("database", message, remedy)];
  }
}

/** The settings, or a finding for each problem. */
function readAll(environment: Readonly<Record<string, string | undefined>>): Settings | Finding[] {
  try {
    return readSettings(environment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map(({ name, problem, remedy }) => failed(`setting ${name}`, problem, remedy));
  }
}

async function examineDatabase(
  settings: Settings,
  { service, url, encryptionKeys }: OperatorAccess,
  { now }: Surroundings,
): Promise<Finding[]> {
  const before = now();
  const facts = await readFacts(service.pool);
  const role = await checkRole(service.pool, facts, settings);
  const database = [
    checkServer(facts),
    checkConnections(settings, await readConnectionRoom(service.pool)),
    checkClock(facts, before, now()),
    role,
  ];
  if (role.status === "failed") return [...database, skipped("migrations", "the role may not read every table")];
  const pending = await readPending(service.pool, url);
  if (pending.length > 0) {
    const message = `this version's migrations are missing: ${nameSome(pending)}`;
    return [...database, failed("migrations", message, "Run `social-connect migrate`")];
  }
  const at = await service.clock.now();
  const encryption = await checkEncryption(service, encryptionKeys);
  return [
    ...database,
    ok("migrations", "all are applied"),
    await checkMode(service.pool, settings),
    await checkTimes(service),
    encryption,
    await checkIssuer(service),
    ...(encryption.status === "failed"
      ? [skipped("providers", "their client secrets may not be readable")]
      : await checkProviders(service, at)),
    await checkAdmins(service),
    await checkSweeps(service),
    await checkKeyExpiry(service, at),
    encryption.status === "failed"
      ? skipped("events", "the secrets of endpoints may not be readable")
      : await checkEvents(service),
  ];
}

async function checkMode(pool: OperatorAccess["service"]["pool"], { mode }: Settings): Promise<Finding> {
  const stored = await readMode(pool);
  if (stored === null) return skipped("mode", "the first start records it in the database");
  if (stored === mode) return ok("mode", `the database belongs to a ${mode} deployment`);
  return failed("mode", `MODE is ${mode}, and the database belongs to a ${stored} deployment`, WRONG_MODE_REMEDY);
}

async function readPending(pool: OperatorAccess["service"]["pool"], url: string): Promise<readonly string[]> {
  const pending = await pendingMigrations(url);
  if (pending.length > 0) return pending;
  const queue = await findQueueProblem(pool);
  return queue === null ? [] : [queue];
}

const ANSWER_MS = 2_000;
interface Listening {
  /** The variable with the port. */
  readonly name: "PORT" | "METRICS_PORT";
  readonly host: string;
  readonly port: number;
  /** What the service answers there while it runs. */
  readonly probe: string;
}

/** Whether the service can listen at its addresses, or does already. */
async function checkPorts({ role, host, port, operations }: Settings): Promise<Finding> {
  const all: Listening[] = [];
  if (role !== "worker") all.push({ name: "PORT", host, port, probe: "/healthz" });
  if (operations !== null) all.push({ name: "METRICS_PORT", ...operations, probe: "/livez" });
  if (all.length === 0) return skipped("ports", "a worker without METRICS_PORT listens on none");
  const found = await Promise.all(all.map(async (each) => ({ ...each, problem: await listenProblem(each) })));
  const message = found.map(
    ({ name, host, port, problem }) => `${name} ${host}:${port}: ${problem ?? "free or its own"}`,
  );
  if (found.every(({ problem }) => problem === null)) return ok("ports", message.join(", "));
  return failed("ports", message.join(", "), "Stop the other program, or correct the port, HOST or METRICS_HOST");
}

async function listenProblem(listening: Listening): Promise<string | null> {
  const { host, port } = listening;
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    server.listen({ host, port, exclusive: true }, () => resolve(null));
  });
  if (code === null) await new Promise((resolve) => server.close(resolve));
  if (code === "EADDRINUSE") return (await isOwn(listening)) ? null : "another program uses it";
  return code === null ? null : (LISTEN_PROBLEMS[code] ?? `this process cannot listen there (${code})`);
}

/** Whether a process of the service answers there. */
async function isOwn({ host, port, probe }: Listening): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(`http://${reachableHost(host)}:${port}${probe}`, { signal }).catch(() => null);
  return response?.status === 200 && (await response.text().catch(() => "")) === "ok\n";
}

/** With its retries, which take 2.5 seconds. */
const TIMEOUT_MS = 3_000;

/** Sends the collector a request without spans, in the way in which a process sends its spans. */
async function checkTraces(
  { tracing }: Pick<Settings, "tracing">,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  if (tracing === null) return skipped("traces", "no OTLP endpoint is set, so nothing is traced");
  const { createSpanExporter } = await import("../../observability/tracing.ts");
  const exporter = await createSpanExporter(tracing.protocol, {
    url: addressIn(environment),
    timeoutMillis: TIMEOUT_MS,
  });
  const { error } = await new Promise<{ error?: Error }>((resolve) => exporter.export([], resolve));
  await exporter.shutdown().catch(() => undefined);
  if (error === undefined) return ok("traces", "the collector accepts spans");
  const message = `the collector does not accept spans: ${reasonOf(error)}`;
  return failed(
    "traces",
    message,
    "Correct OTEL_EXPORTER_OTLP_ENDPOINT and its other variables, or start the collector",
  );
}

/** As the specification of OTLP's exporter says: only the general endpoint is a base. */
function addressIn(environment: Readonly<Record<string, string | undefined>>): string {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base = "" } = environment;
  return own !== undefined && isSet(own) ? own.trim() : `${base.trim().replace(/\/$/, "")}/v1/traces`;
}

/** The status or the code of the failure. The collector's response is not repeated. */
function reasonOf(error: Error & { readonly code?: unknown }): string {
  if (typeof error.code === "number") return `it responds with status ${error.code}`;
  return typeof error.code === "string" ? `it cannot be reached (${error.code})` : error.message;
}
