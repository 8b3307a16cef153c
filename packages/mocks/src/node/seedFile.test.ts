import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { PostRepository } from "../providers/posts.ts";
import { runCli } from "../testing/runCli.ts";
import { MockMisuseError } from "../util/misuse.ts";
import type { SeedFile } from "./seedFile.ts";
import { readSeedFile } from "./seedFile.ts";
import { SEED_SCHEMA } from "./seedSchema.ts";
import { serveMock } from "./serve.ts";

const SEEDED = {
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
const matchesSchema = ajv.compile(SEED_SCHEMA);

async function fileOf(name: string, text: string | Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "seed-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** The message for a file, with the name of the file only. */
async function messageFor(name: string, text: string): Promise<string> {
  const file = await fileOf(name, text);
  const error = await readSeedFile(file).then(
    () => new Error("the file is valid"),
    (thrown: Error) => thrown,
  );
  expect(error, error.message).toBeInstanceOf(MockMisuseError);
  return error.message.replace(file, name);
}

test("the published schema is up to date", async () => {
  await expect(`${JSON.stringify(SEED_SCHEMA, null, 2)}\n`).toMatchFileSnapshot("../../seed.schema.json");
});

test.each([
  ["seed.json", JSON.stringify(SEEDED, null, 2)],
  ["seed.yaml", stringify(SEEDED)],
])("%s, and the same in code, start the same mock", async (name, text) => {
  expect([matchesSchema(SEEDED), matchesSchema.errors]).toEqual([true, null]);
  const { $schema: _, ...options } = SEEDED;
  const read = await readSeedFile(await fileOf(name, text));
  expect(read).toEqual(options);
  const [mock, other] = [createConsumerMock(read as SeedFile), createConsumerMock(options)];
  expect(mock.snapshot()).toBe(other.snapshot());
});

test("a mock starts with the data, and reset returns to it", async () => {
  const { $schema: _, ...options } = SEEDED;
  const mock = createConsumerMock(options);
  const seen = () => ({
    now: mock.clock.date().toISOString(),
    connections: mock.connections().map(({ state: { provider, status, account } }) => [provider, status, account]),
    posts: mock
      .account("PROVIDER_A", "harbor-workshop")
      .posts()
      .filter(({ title }) => /Opening|everyone/.test(title ?? ""))
      .map(({ title, visibility }) => [title, visibility]),
    registration: mock.registration("PROVIDER_B").status,
    faults: [...mock.faults.list().map(({ operation, left }) => [operation, left]), mock.providerFaults.list().length],
    queued: mock.jobs().filter(({ status }) => status === "QUEUED").length > 0,
  });
  const expected = {
    now: SEEDED.now,
    connections: [
      ["PROVIDER_A", "CONNECTED", "harbor-workshop"],
      ["PROVIDER_B", "RECONNECT_REQUIRED", "channel-1"],
      ["PROVIDER_C", "CONNECTED", "channel-1"],
      ["PROVIDER_A", "DISCONNECTED", "channel-2"],
    ],
    posts: [
      ["Opening day", "public"],
      ["Not for everyone", "private"],
    ],
    registration: "PAUSED",
    faults: [["content", 2], 1],
    queued: true,
  };
  expect(seen()).toEqual(expected);
  mock.faults.clear();
  mock.registration("PROVIDER_B").publish();
  await mock.clock.advance("3d");
  mock.reset();
  expect(seen()).toEqual(expected);
  await mock.load("nothing-linked");
  expect([mock.connections(), mock.faults.list()]).toEqual([[], []]);
});

test("the data is what callers see", async () => {
  const { $schema: _, faults: __, ...options } = SEEDED;
  const mock = createConsumerMock(options);
  const scope = { tenantKey: "south", externalSubjectId: "user-7" };
  const [connection] = mock.connections();
  const window = { publishedAfter: "2026-02-25T00:00:00Z", publishedBefore: SEEDED.now, first: 50 };
  const query = `query ($scope: SubjectScope!, $id: ID!, $window: ContentWindow!) {
    connections(scope: $scope) { items { providerAccountId syncStatus } }
    content(scope: $scope, connectionId: $id, window: $window) { items { title metrics { name value } } }
  }`;
  const response = await mock.fetch(`${mock.baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${mock.key}` },
    body: JSON.stringify({ query, variables: { scope, id: connection?.state.id, window } }),
  });
  const { data } = (await response.json()) as {
    data: { connections: { items: object[] }; content: { items: { title: string; metrics: object[] }[] } };
  };
  expect(data.connections.items).toEqual([{ providerAccountId: expect.any(String), syncStatus: "READY" }]);
  const opening = data.content.items.find(({ title }) => title === "Opening day");
  expect(opening?.metrics).toContainEqual({ name: "VIEWS", value: "1200" });
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
  [{ providerFaults: [{ provider: "PROVIDER_A", call: "lisst", status: 503 }] }, 2, 'providerFaults[0]: "lisst"'],
];

test.each(INVALID)("rejects %j in a file, in code and by the schema", async (data, line, said) => {
  expect(matchesSchema(data)).toBe(false);
  expect(() => createConsumerMock(data as never)).toThrow(MockMisuseError);
  const message = await messageFor("seed.yaml", stringify(data));
  expect(message).toMatch(new RegExp(`^seed\\.yaml:${line}:\\d+: `));
  expect(message).toContain(said);
});

test.each([
  ["seed.yaml", "seed: library\nconnections: [\n", /^seed\.yaml:\d:\d+: .*Correct the YAML\.$/],
  ["seed.yaml", "seed: 1\nseed: 2\n", /^seed\.yaml:2:1: .*unique.* Correct the YAML\.$/],
  ["seed.yaml", "seed: 1\nnow: yesterday\n", /^seed\.yaml:2:1: "yesterday" is not a time\./],
  ["seed.yaml", "- seed\n", /^seed\.yaml:1:1: A seed file contains an object/],
  ["seed.json", '{\n  "seed": 1,\n}', /^seed\.json:3:1: This is not valid JSON\./],
  [
    "seed.yaml",
    "seed: 1\nbaseUrl: http://a.test\n",
    /^seed\.yaml:2:1: `baseUrl` follows from --host and --port\. Remove it\.$/,
  ],
  [
    "seed.yaml",
    "connections:\n  - provider: PROVIDER_A\n    tenantKey: nowhere\n",
    /^seed\.yaml:2:5: connections\[0\]: .*tenant/i,
  ],
  ["seed.json", '{ "seed": 1, "seed": 2 }', /^seed\.json:1:14: .*unique.* Correct the JSON\.$/],
  ["seed.yaml", "seed: 1\nnow: *start\n", /^seed\.yaml:2:6: There is no anchor &start before this alias\. Add it\.$/],
  ["seed.yaml", "seed: !secret x\n", /^seed\.yaml:1:7: Unresolved tag: !secret\. Correct the YAML\.$/],
  [
    "seed.yaml",
    "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n",
    /^seed\.yaml:1:1: Too many aliases\. Write the values out\.$/,
  ],
  ["seed.yaml", "application: &a\n  slug: *a\n", /^seed\.yaml:2:3: `slug` must be a string\.$/],
  [
    "seed.yaml",
    "connections:\n  - { provider: PROVIDER_A, account: a }\n  - { provider: PROVIDER_A, account: a }\n",
    /^seed\.yaml:3:5: connections\[1\]: This account of this user is listed twice\. Combine the two entries\.$/,
  ],
  [
    "seed.yaml",
    "accounts:\n  - { provider: PROVIDER_A, name: a }\n  - { provider: PROVIDER_A, name: a }\n",
    /^seed\.yaml:3:5: accounts\[1\]: This account is listed twice\./,
  ],
  [
    "seed.yaml",
    "registrations:\n  - { provider: PROVIDER_A, status: DISABLED }\n  - { provider: PROVIDER_A, status: PAUSED }\n",
    /^seed\.yaml:3:5: registrations\[1\]: This provider is listed twice\./,
  ],
  [
    "seed.yaml",
    "connections:\n  - provider: PROVIDER_A\n    account: not-a-tester\n",
    /^seed\.yaml:3:5: connections\[0\]\.account: /,
  ],
])("%s: %j gives a line and what to do", async (name, text, said) => {
  expect(await messageFor(name, text)).toMatch(said);
});

test("a byte order mark is ignored, in JSON and YAML", async () => {
  for (const [name, text] of [
    ["seed.json", '\uFEFF{"seed": "library"}'],
    ["seed.yaml", "\uFEFFseed: library\n"],
  ] as const)
    expect(await readSeedFile(await fileOf(name, text))).toEqual({ seed: "library" });
});

test("anchors and aliases are expanded, and an error in them names the place of the anchor", async () => {
  const text =
    "accounts:\n  - provider: PROVIDER_A\n    name: a\n    posts: &posts\n      - { title: x }\n  - provider: PROVIDER_B\n    name: b\n    posts: *posts\n";
  const { accounts } = await readSeedFile(await fileOf("seed.yaml", text));
  expect(accounts?.map(({ posts }) => posts)).toEqual([[{ title: "x" }], [{ title: "x" }]]);
  expect(await messageFor("seed.yaml", text.replace("title", "tittle"))).toMatch(
    /^seed\.yaml:5:11: accounts\[0\]\.posts\[0\]\.tittle: /,
  );
});

test("a file that is not UTF-8 or too large is named", async () => {
  for (const [bytes, said] of [
    [Buffer.from("seed: é\n", "latin1"), "is not UTF-8. Save it as UTF-8."],
    [Buffer.from("seed: 1\n", "utf16le"), "contains an object"],
    [Buffer.alloc(5 * 1_024 * 1_024, "# "), "is larger than 4 MB. Shorten it."],
  ] as const) {
    const file = await fileOf("seed.yaml", bytes);
    await expect(readSeedFile(file)).rejects.toThrow(said);
  }
});

test("posts are read without listing all posts for each of them", async () => {
  const posts = Array.from({ length: 500 }, (_, number) => ({ title: `Post ${number}` }));
  const data = { accounts: [{ provider: "PROVIDER_A", name: "busy", posts }] } as const;
  const listed = vi.spyOn(PostRepository.prototype, "of");
  onTestFinished(() => listed.mockRestore());
  await readSeedFile(await fileOf("seed.json", JSON.stringify(data)));
  expect(listed.mock.calls.length).toBeLessThan(10);
  const mock = createConsumerMock(data);
  const titles = mock
    .account("PROVIDER_A", "busy")
    .posts()
    .map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(posts.map(({ title }) => title)));
  // The control: a list is counted.
  expect(listed.mock.calls.length).toBeGreaterThan(0);
});

/** Every field, so that each can be wrong. */
const EVERY_FIELD = {
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

test.each([EVERY_FIELD, ONE_CONNECTION])(
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

test("a missing file is named", async () => {
  await expect(readSeedFile("/nowhere/seed.yaml")).rejects.toThrow(
    "The seed file /nowhere/seed.yaml cannot be read (ENOENT). Check its path.",
  );
});

test("`serve --seed-file` starts with the data, other options override it, and a reset returns to it", async () => {
  const file = await fileOf("seed.yaml", stringify({ ...SEEDED, faults: [] }));
  let seen: unknown[] = [];
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const { code } = await runCli(
    ["serve", "--port", "0", "--json", "--seed-file", file, "--clock", "manual", "--tenant", "south"],
    {
      untilStopped: () => stopped,
      print: (line) => {
        const { control, tenantKeys } = JSON.parse(line) as { control: string; tenantKeys: string[] };
        const read = async (path: string, method = "GET") => (await fetch(`${control}/${path}`, { method })).json();
        void (async () => {
          const before = await read("connections");
          await read("scenarios/nothing-linked", "POST");
          await read("reset", "POST");
          const connections = (await read("connections")) as object[];
          seen = [tenantKeys, connections.length, JSON.stringify(connections) === JSON.stringify(before)];
        })().finally(stop);
      },
    },
  );
  expect([code, seen]).toEqual([0, [["south"], 4, true]]);
  const wrong = await fileOf("seed.yaml", "conections: []\n");
  expect((await runCli(["serve", "--port", "0", "--seed-file", wrong])).code).toContain(
    "seed.yaml:1:1: Unknown field conections",
  );
});

test("serveMock takes the content of a seed file", async () => {
  const { mock, close } = await serveMock(await readSeedFile(await fileOf("seed.yaml", stringify(SEEDED))));
  onTestFinished(close);
  expect(mock.connections()).toHaveLength(4);
});
