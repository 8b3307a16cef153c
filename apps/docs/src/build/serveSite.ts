import { rmSync, watch } from "node:fs";
import { join } from "node:path";
import { createServer } from "vitepress";
import { listMessages } from "../messages/messagePages.ts";
import { stageSite } from "../pages/stageSite.ts";
import { makeWorkFolder, writeSettings } from "./buildSite.ts";

/** Serves the site of the working copy until the process is stopped. */
export async function serveSite(root: string, port: number): Promise<void> {
  const folder = makeWorkFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));

  const messages = listMessages(root);
  const stage = () => stageSite({ root, folder, fileUrl: null, messages });
  const { bar, sidebar } = stage();
  writeSettings(folder, {
    outDir: join(folder, "dist"),
    base: "/",
    siteBase: "/",
    version: "working copy",
    bar,
    sidebar,
  });
  // Vite rejects other host names. Without CORS, no page of another origin can read the site.
  const server = await createServer(folder, { port, strictPort: true, host: "127.0.0.1", cors: false });
  await server.listen().catch((error: Error) => {
    throw new Error(`${error.message}. Choose another port with --port.`, { cause: error });
  });
  server.printUrls();

  let isPlanned = false;
  watch(join(root, "docs"), { recursive: true }, () => {
    if (isPlanned) return;
    isPlanned = true;
    // An editor saves a file in several steps.
    setTimeout(() => {
      isPlanned = false;
      stage();
    }, 100);
  });
}
