import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { reservePort } from "../../packages/testkit/src/ports.ts";
import { entryOf } from "../consumers/toolchain.ts";

const SCOPE = "@social-connect";

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/** What is used of verdaccio, which is installed with the toolchain only. */
interface Verdaccio {
  readonly runServer: (config: string) => Promise<Server>;
}

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
  const { default: verdaccio } = (await import(pathToFileURL(entryOf("verdaccio")).href)) as { default: Verdaccio };
  const server = await verdaccio.runServer(config);
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
