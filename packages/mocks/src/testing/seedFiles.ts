import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished } from "vitest";
import { readSeedFile, type SeedFile } from "../node/seedFile.ts";
import { SEED_SCHEMA } from "../node/seedSchema.ts";
import { MockMisuseError } from "../util/misuse.ts";

export const SEEDED = {
  $schema: "./seed.schema.json",
  seed: "library",
  now: "2026-03-01T09:00:00.000Z",
  application: { tenantKeys: ["north", "south"], webOrigins: ["http://localhost:3000"] },
  accounts: [
    {
      provider: "PROVIDER_A",
      name: "harbor-workshop",
      posts: [
        { title: "Opening day", publishedAt: "2026-02-27T08:00:00Z", metrics: { VIEWS: "1200", LIKES: null } },
        { title: "Not for everyone", publishedAt: "2026-02-26T08:00:00Z", visibility: "private" },
      ],
    },
  ],
  connections: [
    { provider: "PROVIDER_A", account: "harbor-workshop", tenantKey: "south", externalSubjectId: "user-7" },
    { provider: "PROVIDER_B", status: "RECONNECT_REQUIRED" },
    { provider: "PROVIDER_C", capabilities: ["PROFILE"], read: false },
    { provider: "PROVIDER_A", account: "channel-2", status: "DISCONNECTED" },
  ],
  registrations: [{ provider: "PROVIDER_B", status: "PAUSED" }],
  faults: [{ operation: "content", times: 2, fault: { code: "RATE_LIMITED", retryAfterSeconds: 3 } }],
  providerFaults: [{ provider: "PROVIDER_A", call: "list", status: 503, times: 1 }],
} as const satisfies SeedFile;

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
export const matchesSchema = ajv.compile(SEED_SCHEMA);

export async function fileOf(name: string, text: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "seed-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

export async function messageFor(name: string, text: string): Promise<string> {
  const file = await fileOf(name, text);
  const error = await readSeedFile(file).then(
    () => new Error("the file is valid"),
    (thrown: Error) => thrown,
  );
  expect(error, error.message).toBeInstanceOf(MockMisuseError);
  return error.message.replace(file, name);
}
