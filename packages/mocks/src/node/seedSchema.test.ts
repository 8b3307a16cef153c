import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { fileOf, matchesSchema, messageFor } from "../testing/seedFiles.ts";
import { MockMisuseError } from "../util/misuse.ts";
import { readSeedFile, type SeedFile } from "./seedFile.ts";
import { SEED_SCHEMA } from "./seedSchema.ts";

test("the published schema is up to date", async () => {
  await expect(`${JSON.stringify(SEED_SCHEMA, null, 2)}\n`).toMatchFileSnapshot("../../seed.schema.json");
});

/** Data that is invalid, with the part that the message names. */
const INVALID: readonly (readonly [object, line: number, said: string])[] = [
  [{ sede: 1 }, 1, "Unknown field sede. Possible fields: seed, now"],
  [{ application: { slug: "app", tenants: ["a"] } }, 3, "Unknown field tenants. Possible fields: tenantKeys"],
  [{ connections: {} }, 1, "connections: Pass a list."],
  [{ connections: [{ account: "a" }] }, 2, "connections[0]: `provider` is required."],
  [{ connections: [{ provider: "PROVIDER_Z" }] }, 2, 'connections[0].provider: "PROVIDER_Z" is not a valid provider.'],
  [
    { connections: [{ provider: "PROVIDER_A" }, { provider: "PROVIDER_B", capabilities: ["ALL"] }] },
    4,
    "connections[1].capabilities",
  ],
  [{ connections: [{ provider: "PROVIDER_A", read: "no" }] }, 3, "connections[0].read: `read` must be true or false."],
  [
    { accounts: [{ provider: "PROVIDER_A", name: "a", posts: [{ title: "x" }, { tittle: "y" }] }] },
    6,
    "accounts[0].posts[1].tittle: Unknown field tittle.",
  ],
  [
    { accounts: [{ provider: "PROVIDER_A", name: "a", posts: [{ metrics: { VIEWS: 5 } }] }] },
    5,
    "accounts[0].posts[0]",
  ],
  [{ registrations: [{ provider: "PROVIDER_A", status: "GONE" }] }, 3, "registrations[0].status"],
  [
    { faults: [{ operation: "contents", fault: { drop: "after" } }] },
    2,
    'faults[0]: "contents" is not a valid operation.',
  ],
  [{ faults: [{ operation: "content", fault: { code: "SORRY" } }] }, 2, 'faults[0]: "SORRY" is not a valid error code'],
  [
    { eventEndpoints: [{ url: "http://localhost:3000/events", types: ["connect.done"] }] },
    3,
    'eventEndpoints[0].types: "connect.done" is not a valid entry',
  ],
  [{ providerFaults: [{ provider: "PROVIDER_A", call: "lisst", status: 503 }] }, 2, 'providerFaults[0]: "lisst"'],
];

test.each(INVALID)("rejects %j in a file, in code and by the schema", async (data, line, said) => {
  expect(matchesSchema(data)).toBe(false);
  expect(() => createConsumerMock(data as never)).toThrow(MockMisuseError);
  const message = await messageFor("seed.yaml", stringify(data));
  expect(message).toMatch(new RegExp(`^seed\\.yaml:${line}:\\d+: `));
  expect(message).toContain(said);
});

/** Every field, so that each can be wrong. In parts, because accounts with posts take the longest. */
const EVERY_OPTION = {
  seed: "library",
  now: "2026-03-01T09:00:00.000Z",
  clock: "manual",
  advancePerRequest: "1s",
  jitter: 0.5,
  mode: "sandbox",
  strict: true,
  previewOriginTemplate: "https://{label}.preview.example.app",
  application: {
    slug: "app",
    tenantKeys: ["north"],
    webOrigins: ["http://localhost:3000"],
    returnUrls: ["http://localhost:3000/connected"],
    identityReturnUrls: ["http://localhost:3000/signed-in"],
    providers: ["PROVIDER_A"],
    capabilities: ["PROFILE"],
    idpIdentityEnabled: true,
    testers: [{ provider: "PROVIDER_A", providerAccountId: "x" }],
  },
  registrations: [{ provider: "PROVIDER_B", status: "PAUSED", capabilities: ["PROFILE"] }],
  faults: [
    { operation: "content", times: 2, fault: { code: "RATE_LIMITED", retryAfterSeconds: 3 } },
    { operation: "status", probability: 0.5, fault: { delay: "2s", status: 503 } },
    { operation: "*", fault: { drop: "after" } },
    { operation: "content", fault: { malformed: "empty" } },
  ],
  providerFaults: [
    { provider: "PROVIDER_A", call: "list", status: 503, times: 1, retryAfterSeconds: 2, account: "a" },
    { provider: "PROVIDER_B", call: "any", failure: "unavailable" },
    { provider: "PROVIDER_B", call: "any", delay: "2s" },
  ],
  eventEndpoints: [{ url: "http://localhost:3000/events", types: ["connect.completed"] }],
} as const satisfies SeedFile;
const ONE_ACCOUNT = {
  accounts: [
    {
      provider: "PROVIDER_A",
      name: "harbor-workshop",
      posts: [
        {
          title: "Opening day",
          description: "Doors open",
          publishedAt: "2026-02-27T08:00:00Z",
          form: "video",
          metrics: { VIEWS: "1200" },
          visibility: "private",
        },
      ],
    },
  ],
} as const satisfies SeedFile;
const ONE_CONNECTION = {
  connections: [
    {
      provider: "PROVIDER_A",
      account: "harbor-workshop",
      tenantKey: "acme",
      externalSubjectId: "user-7",
      capabilities: ["PROFILE"],
      status: "SUSPENDED",
      read: false,
    },
  ],
} as const satisfies SeedFile;
const WRONG = [null, 5, -1, "", "x".repeat(5_000), true, [], [null], [[]], {}, { a: 1 }];

type Part = string | number;

function* pathsIn(value: unknown, path: readonly Part[] = []): Generator<readonly Part[]> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, entry] of Object.entries(value)) yield* pathsIn(entry, [...path, key]);
}

function withValue(data: object, path: readonly Part[], value: unknown): object {
  const copy = structuredClone(data);
  const parent = path.slice(0, -1).reduce<object>((at, part) => Reflect.get(at, part), copy);
  Reflect.set(parent, path.at(-1) ?? "", value);
  return copy;
}

test.each([EVERY_OPTION, ONE_ACCOUNT, ONE_CONNECTION])(
  "rejects a wrong value in any field with its place, and accepts none that the schema rejects",
  async (data) => {
    expect([matchesSchema(data), await readSeedFile(await fileOf("seed.json", JSON.stringify(data)))]).toEqual([
      true,
      data,
    ]);
    const file = await fileOf("seed.json", "");
    for (const path of pathsIn(data)) {
      for (const value of WRONG) {
        const wrong = withValue(data, path, value);
        const what = `${path.join(".")} = ${JSON.stringify(value).slice(0, 20)}`;
        await writeFile(file, JSON.stringify(wrong, null, 2));
        const error: unknown = await readSeedFile(file).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error === null) expect([what, matchesSchema(wrong)]).toEqual([what, true]);
        else {
          const { message, name } = error as Error;
          expect([what, name, message.length < 1_000]).toEqual([what, "MockMisuseError", true]);
          const [, line] = /^seed\.json:(\d+):\d+: /.exec(message.replace(file, "seed.json")) ?? [];
          // Line 1 is the opening brace.
          expect([what, Number(line) > 1]).toEqual([what, true]);
        }
      }
    }
  },
);
