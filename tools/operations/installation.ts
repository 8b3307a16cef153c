import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installPacked } from "../consumers/workspace.ts";
import { packPackages } from "../packages/pack.ts";
import { choosePublished } from "../packages/publishedPackages.ts";

/** What the tarballs of the service and of the consumer SDK install in an empty folder. */
export interface Installation {
  /** The command `social-connect`. */
  readonly command: string;
  readonly sdk: typeof import("../../packages/sdk/src/index.ts");
  readonly tarballs: readonly { readonly name: string; readonly bytes: number }[];
}

/** Packs the packages and installs them with npm, as an operator would. */
export async function installService(folder: string): Promise<Installation> {
  const packages = await packPackages(choosePublished(["server", "contract", "sdk"]), join(folder, "packed"));
  const place = join(folder, "installed");
  await installPacked(place, packages);
  // Not by its name: this process resolves packages to their source.
  const sdk = join(place, "node_modules", "@social-connect", "sdk", "dist", "index.js");
  return {
    command: join(place, "node_modules", ".bin", "social-connect"),
    sdk: await import(pathToFileURL(sdk).href),
    tarballs: packages.map(({ name, tarballBytes }) => ({ name, bytes: tarballBytes })),
  };
}
