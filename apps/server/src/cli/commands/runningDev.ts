import { resolve } from "node:path";
import type { ReadDevFile } from "../../dev/devFile.ts";

/** The development environment that runs in a data folder. */
export async function readRunningDev(data: string): Promise<ReadDevFile> {
  const [{ dataOption }, { devFilePath, readDevFile }] = await Promise.all([
    import("../../dev/console.ts"),
    import("../../dev/devFile.ts"),
  ]);
  const dev = await readDevFile(devFilePath(resolve(data)));
  if (dev !== null) return dev;
  throw new Error(
    `no development environment runs in ${data}; start it with \`social-connect dev${dataOption(resolve(data))}\`, or name its folder with --data`,
  );
}
