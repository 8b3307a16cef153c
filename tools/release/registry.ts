import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import type { Environment } from "../../packages/testkit/src/harness/startedProgram.ts";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { load } from "../consumers/toolchain.ts";
import { workspaceProgram } from "../packages/commands.ts";

const SCOPE = "@social-connect";

/** A registry for one rehearsal: on loopback, with temporary storage, and without access to any other registry. */
export async function startRegistry(folder: string) {
  const port = await reservePort();
  /** With a slash at the end. */
  const url = `http://127.0.0.1:${port}/`;
  await mkdir(folder, { recursive: true });
  const config = join(folder, "config.yaml");
  await writeFile(config, configOf(folder));
  /** A user's settings for package managers that know this registry and no other: nothing can be published elsewhere by it. */
  const publisherSettings = join(folder, "publisher.npmrc");
  const token = `//127.0.0.1:${port}/:_authToken=rehearsal`;
  await writeFile(publisherSettings, [`registry=${url}`, token, "provenance=false", ""].join("\n"));
  const { default: verdaccio } = await load("verdaccio");
  const server: Server = await verdaccio.runServer(config);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, publisherSettings, [Symbol.asyncDispose]: stop };
}

function configOf(folder: string): string {
  return [
    `storage: ${JSON.stringify(join(folder, "storage"))}`,
    "web: { enable: false }",
    "max_body_size: 50mb",
    "uplinks: {}",
    "packages:",
    `  "${SCOPE}/*": { access: $all, publish: $all }`,
    "log: { type: stdout, format: pretty, level: warn }",
    "",
  ].join("\n");
}

/** Publishes the built packages whose version the registry does not have; a release and its rehearsal both call this. */
export function publishPackages(parameters: readonly string[] = [], environment: Environment = {}): Promise<string> {
  // The server's `prepare` would generate files again that other programs are reading.
  const withoutScripts = { pnpm_config_ignore_scripts: "true", ...environment };
  return workspaceProgram("changeset", ["publish", ...parameters], { environment: withoutScripts });
}

/** Publishes to a registry on loopback. Who installs from there shows that it has each package. */
export function publishToLoopback({ publisherSettings }: Awaited<ReturnType<typeof startRegistry>>): Promise<string> {
  const settings = { NPM_CONFIG_USERCONFIG: publisherSettings, npm_config_userconfig: publisherSettings };
  return publishPackages(["--no-git-tag"], settings);
}
