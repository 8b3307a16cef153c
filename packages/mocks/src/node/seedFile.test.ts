import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { runCli } from "../testing/runCli.ts";
import { fileOf, matchesSchema, messageFor, SEEDED } from "../testing/seedFiles.ts";
import { readSeedFile, type SeedFile } from "./seedFile.ts";
import { serveMock } from "./serve.ts";

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

test.each<[string, string, RegExp]>([
  [
    "keys",
    Array.from({ length: 60_000 }, () => "seed: 1").join("\n"),
    /:2:1: Map keys must be unique\. Correct the YAML\.$/,
  ],
  [
    "aliases",
    `a: &a 1\nb:\n${Array.from({ length: 60_000 }, () => "  - *a").join("\n")}`,
    /:103:5: Too many aliases\./,
  ],
])("60,000 %s are rejected with the line of the first that is too many", async (_, text, message) => {
  await expect(readSeedFile(await fileOf("large.yaml", text))).rejects.toThrow(message);
});
