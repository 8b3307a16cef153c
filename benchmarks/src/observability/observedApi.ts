/**
 * An api that is observed in another way at each message. Two processes of the same program differ by more than
 * telemetry costs, for example in what was compiled when; one process does not differ from itself.
 */

import { readSettings } from "../../../apps/server/src/config/settings.ts";
import { startObservedServer } from "../../../apps/server/src/main.ts";
import {
  type Observability,
  type Observed,
  startObservability,
} from "../../../apps/server/src/observability/observability.ts";
import { observeProcess } from "../../../apps/server/src/observability/processState.ts";
import {
  createErasureLogger,
  createLogger,
  createRequestLogger,
  serviceOutput,
} from "../../../apps/server/src/platform/logger.ts";
import { securityLog } from "../../../apps/server/src/platform/securityLog.ts";
import type { Telemetry, Tracing } from "../../../apps/server/src/platform/telemetry.ts";
import { KIND_NAMES, KINDS, type KindName, type Switch } from "./kinds.ts";

async function startKind(kind: KindName): Promise<Observability> {
  const settings = readSettings({ ...process.env, ...KINDS[kind] }, { role: "api" });
  const log = { level: settings.logLevel, role: settings.role, destination: serviceOutput(settings.role) };
  return startObservability(settings, {
    logger: createLogger(log),
    requestLogger: createRequestLogger(log),
    erasureLogger: createErasureLogger(log),
  });
}

const kinds = new Map(
  await Promise.all(KIND_NAMES.map(async (name): Promise<[KindName, Observability]> => [name, await startKind(name)])),
);
let current = kindOf("off");
let isStarted = false;
let observed: Observed | null = null;
let stopWatching = (): void => undefined;

function kindOf(name: KindName): Observability {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  return kind;
}

const tracing: Tracing = { start: (...span) => current.telemetry.tracing?.start(...span) ?? null };
const telemetry: Telemetry = {
  get tracing() {
    // Connections are traced if there is tracing when they are opened.
    return isStarted && current.telemetry.tracing === null ? null : tracing;
  },
  requestEnded: (...event) => current.telemetry.requestEnded(...event),
  attemptEnded: (...event) => current.telemetry.attemptEnded(...event),
  providerCallEnded: (...event) => current.telemetry.providerCallEnded(...event),
  erasure: (...event) => current.telemetry.erasure(...event),
  providerMessage: (...event) => current.telemetry.providerMessage(...event),
};

const server = await startObservedServer(readSettings(process.env, { role: "api" }), async () => ({
  telemetry,
  metrics: null,
  watch: (parts) => {
    observed = parts;
  },
  writeCounts: (service) => current.writeCounts(service),
  stop: async () => {
    for (const kind of kinds.values()) await kind.stop();
  },
}));
isStarted = true;

process.on("message", ({ kind }: Switch) => {
  stopWatching();
  current = kindOf(kind);
  if (observed !== null && current.metrics !== null) {
    const { service } = observed;
    const info = { role: "api", node: process.versions.node };
    stopWatching = observeProcess({
      ...observed,
      info,
      breakers: service.breakers,
      security: securityLog(service),
      outputs: {},
    }).stop;
  }
  process.send?.({ kind } satisfies Switch);
});
process.once("SIGTERM", () => void server.stop().then(() => process.exit()));
console.log(`listening at ${server.address}`);
