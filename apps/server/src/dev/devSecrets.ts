import { join } from "node:path";
import { z } from "zod";
import { newId, newSecretHex } from "../platform/ids.ts";
import { readOrMakeOwnerFile } from "../platform/process/ownerFile.ts";

const key = z.object({ keyId: z.uuid(), secret: z.string().regex(/^[0-9a-f]{64}$/) });
const schema = z.object({
  applicationKey: key,
  otherApplicationKey: key,
  providerClientSecret: z.string().min(32),
  issuerClientSecret: z.string().min(32),
  readKey: key,
  writeKey: key,
});
export type DevSecrets = z.infer<typeof schema>;

/** The secrets of a development environment: created once, and the same after every restart on the same data. */
export async function readDevSecrets(dataFolder: string): Promise<DevSecrets> {
  const file = join(dataFolder, "dev-secrets.json");
  const text = await readOrMakeOwnerFile(file, () => `${JSON.stringify(newSecrets(), null, 2)}\n`);
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is invalid; correct it, or move the whole data folder away`, { cause });
  }
}

function newSecrets(): DevSecrets {
  return {
    applicationKey: newKey(),
    otherApplicationKey: newKey(),
    providerClientSecret: newSecretHex(),
    issuerClientSecret: newSecretHex(),
    readKey: newKey(),
    writeKey: newKey(),
  };
}

function newKey(): z.infer<typeof key> {
  return { keyId: newId(), secret: newSecretHex() };
}
