import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeOwnerFile } from "../platform/process/ownerFile.ts";
import type { DevAddresses } from "./addresses.ts";

/** The origins that the last start entered for the seeded clients. */
export type EnteredOrigins = Pick<DevAddresses, "example" | "otherApplication">;

const schema = z.object({ example: z.string(), otherApplication: z.string() });

/** null for new data. */
export async function readEnteredOrigins(dataFolder: string): Promise<EnteredOrigins | null> {
  const text = await readFile(fileIn(dataFolder), "utf8").catch(() => null);
  return text === null ? null : schema.parse(JSON.parse(text));
}

export async function writeEnteredOrigins(
  dataFolder: string,
  { example, otherApplication }: EnteredOrigins,
): Promise<void> {
  await writeOwnerFile(fileIn(dataFolder), `${JSON.stringify({ example, otherApplication }, null, 2)}\n`);
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, "dev-origins.json");
}
