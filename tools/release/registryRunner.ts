/**
 * A registry as a process: `registryRunner.ts CONFIG PORT`. It exits when the program that started it exits, or after
 * an idle timeout.
 */
import type { Server } from "node:http";
import { pathToFileURL } from "node:url";
import { entryOf } from "../consumers/toolchain.ts";

/** What is used of verdaccio, which is installed with the toolchain only. */
interface Verdaccio {
  readonly runServer: (config: string) => Promise<Server>;
}

const LONGEST_LIFE_MS = 30 * 60_000;

const [config = "", port = ""] = process.argv.slice(2);
setTimeout(() => process.exit(1), LONGEST_LIFE_MS).unref();
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));

const { default: verdaccio } = (await import(pathToFileURL(entryOf("verdaccio")).href)) as { default: Verdaccio };
const server = await verdaccio.runServer(config);
server.listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
