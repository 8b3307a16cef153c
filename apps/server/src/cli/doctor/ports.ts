import { createServer } from "node:net";
import { reachableHost } from "@social-connect/domain";
import type { Settings } from "../../config/settings.ts";
import { LISTEN_PROBLEMS } from "../../platform/httpListener.ts";
import { type Finding, failed, ok, skipped } from "./finding.ts";

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
export async function checkPorts({ role, host, port, operations }: Settings): Promise<Finding> {
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
