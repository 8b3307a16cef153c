import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readOrMakeOwnerFile } from "../platform/process/ownerFile.ts";
import { type EncryptionKeys, encryptionKeys } from "./values.ts";

export interface LocalEncryptionKeys extends EncryptionKeys {
  /** Format of the setting ENCRYPTION_KEYS: a secret. */
  readonly text: string;
}

export function hasLocalEncryptionKeys(dataFolder: string): boolean {
  return existsSync(fileIn(dataFolder));
}

/** The keys of a data folder, created on first use, so that a sandbox starts without configuration. */
export async function localEncryptionKeys(dataFolder: string): Promise<LocalEncryptionKeys> {
  const file = fileIn(dataFolder);
  const text = (await readOrMakeOwnerFile(file, () => `local:${randomBytes(32).toString("base64")}\n`)).trim();
  const keys = encryptionKeys.safeParse(text);
  if (keys.success && keys.data.keys.length > 0) return { ...keys.data, text };
  throw new Error(
    `${file} contains no encryption key; restore the correct one, or the encrypted values cannot be read`,
  );
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, "encryption.keys");
}
