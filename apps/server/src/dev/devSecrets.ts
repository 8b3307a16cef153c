import { join } from "node:path";
import { z } from "zod";
import { newId, newSecretHex } from "../platform/ids.ts";
import { readOrMakeOwnerFile } from "../platform/ownerFile.ts";

const key = z.object({ keyId: z.uuid(), secret: z.string().regex(/^[0-9a-f]{64}$/) });
const schema = z.object({
  applicationKey: key,
  otherApplicationKey: key,
  providerClientSecret: z.string().min(32),
  issuerClientSecret: z.string().min(32),
});
const adminKeys = z.object({ readKey: key, writeKey: key });
export type DevSecrets = z.infer<typeof schema> & z.infer<typeof adminKeys>;

/** The secrets of a development environment: created once, and the same after every restart on the same data. */
export async function readDevSecrets(dataFolder: string): Promise<DevSecrets> {
  const secrets = await readOrMake(join(dataFolder, "dev-secrets.json"), schema, () => ({
    applicationKey: newKey(),
    otherApplicationKey: newKey(),
    providerClientSecret: newSecretHex(),
    issuerClientSecret: newSecretHex(),
  }));
  // A separate file: a data folder from before admin keys existed gets them, too.
  const keys = await readOrMake(join(dataFolder, "dev-admin-keys.json"), adminKeys, () => ({
    readKey: newKey(),
    writeKey: newKey(),
  }));
  return { ...secrets, ...keys };
}

function newKey(): z.infer<typeof key> {
  return { keyId: newId(), secret: newSecretHex() };
}

async function readOrMake<Content>(file: string, shape: z.ZodType<Content>, make: () => Content): Promise<Content> {
  const text = await readOrMakeOwnerFile(file, () => `${JSON.stringify(make(), null, 2)}\n`);
  try {
    return shape.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is invalid; correct it, or move the whole data folder away`, { cause });
  }
}
