import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readOrMakeOwnerFile } from "../platform/ownerFile.ts";
import type { EncryptionKey } from "../platform/secretBox.ts";
import { encryptionKeys } from "./values.ts";

export interface LocalEncryptionKeys {
  readonly keys: readonly EncryptionKey[];
  /** The same as the setting ENCRYPTION_KEYS has it: a secret. */
  readonly text: string;
}

/** The keys of a data folder, made at its first use, so that a sandbox starts with no set-up at all. */
export async function localEncryptionKeys(dataFolder: string): Promise<LocalEncryptionKeys> {
  const file = join(dataFolder, "encryption.keys");
  const text = (await readOrMakeOwnerFile(file, () => `local:${randomBytes(32).toString("base64")}\n`)).trim();
  const keys = encryptionKeys.safeParse(text);
  if (keys.success && keys.data.length > 0) return { keys: keys.data, text };
  throw new Error(`${file} holds no encryption key; put the right one back, or what was sealed with it cannot be read`);
}
