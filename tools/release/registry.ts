import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cleanEnvironment } from "../packages/commands.ts";

const SCOPE = "@social-connect";
const RUNNER = fileURLToPath(new URL("./registryRunner.ts", import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

export interface Registry {
  /** Base address on loopback, with a slash at the end. */
  readonly url: string;
  /** A user's settings for package managers that know this registry and no other: nothing can be published elsewhere by it. */
  readonly publisherSettings: string;
  stop(): Promise<void>;
}

/** A registry for one rehearsal: on loopback, with temporary storage, and without access to any other registry. */
export async function startRegistry(folder: string): Promise<Registry> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  await mkdir(folder, { recursive: true });
  const config = join(folder, "config.yaml");
  await writeFile(config, configOf(folder, port));
  const publisherSettings = join(folder, "publisher.npmrc");
  const token = `//127.0.0.1:${port}/:_authToken=rehearsal`;
  await writeFile(publisherSettings, [`registry=${url}`, token, "provenance=false", ""].join("\n"));

  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", RUNNER, config, String(port)], {
    cwd: folder,
    env: cleanEnvironment(),
    // It detects by the end of the channel that this program has exited.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
    });
  }
  const ended = once(child, "exit");
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await Promise.race([ended, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
  };
  const patience = setTimeout(READY_TIMEOUT_MS, "late", { ref: false });
  const first = await Promise.race([once(child, "message"), ended.then(() => "ended"), patience]);
  if (first !== "ended" && first !== "late") return { url, publisherSettings, stop };
  await stop();
  throw new Error(`the registry on loopback did not start\n${output.trim()}`);
}

function configOf(folder: string, port: number): string {
  return [
    `storage: ${JSON.stringify(join(folder, "storage"))}`,
    `listen: 127.0.0.1:${port}`,
    "web: { enable: false }",
    "max_body_size: 50mb",
    "uplinks: {}",
    "packages:",
    `  "${SCOPE}/*": { access: $all, publish: $all }`,
    "log: { type: stdout, format: pretty, level: warn }",
    "",
  ].join("\n");
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
