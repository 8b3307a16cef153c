import { get } from "node:http";
import { createServer } from "node:net";
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
function isOwn({ host, port, probe }: Listening): Promise<boolean> {
  // Where every address of the machine is served, loopback is one of them.
  const hostname = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return new Promise((resolve) => {
    const request = get({ hostname, port, path: probe, timeout: ANSWER_MS, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text = (text + chunk).slice(0, 4);
      });
      response.on("close", () => resolve(response.statusCode === 200 && text === "ok\n"));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}
