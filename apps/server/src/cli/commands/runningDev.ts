import { resolve } from "node:path";
import type { ReadDevFile } from "../../dev/devFile.ts";

/** The development environment that runs in a data folder. */
export async function readRunningDev(data: string): Promise<ReadDevFile> {
  const [{ DEV_COMMAND, dataOption }, { devFilePath, readDevFile }] = await Promise.all([
    import("../../dev/console.ts"),
    import("../../dev/devFile.ts"),
  ]);
  const dev = await readDevFile(devFilePath(resolve(data)));
  if (dev !== null && dev !== "ended") return dev;
  const more = dev === "ended" ? " any more" : "";
  throw new Error(
    `no development environment runs in ${data}${more}; start it with \`${DEV_COMMAND}${dataOption(resolve(data))}\`, or name its folder with --data`,
  );
}
