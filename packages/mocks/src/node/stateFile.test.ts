import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConsumerMock } from "../mock/consumerMock.ts";
import { post } from "../testing/post.ts";
import { runCli } from "../testing/runCli.ts";
import { type ServeOptions, serveMock } from "./serve.ts";
import { replacePrivateFile, StateFile } from "./stateFile.ts";

const NOW = "2026-03-01T09:00:00.000Z";

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "state-file-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

const serve = (stateFile: string, options: ServeOptions = {}) => serveMock({ now: NOW, stateFile, ...options });

test("a restarted mock continues with the state, its clock, its faults and its keys", async () => {
  const file = join(await folder(), "state.json");
  const first = await serve(file, { seed: "kept", scenario: "connected-with-content" });
  const { mock } = first;
  await mock.clock.advance("2h");
  mock.faults.always("content", { status: 503 });
  expect((await fetch(`${first.url}/__mock/clock`)).status).toBe(200);
  const [key, time, connections] = [mock.key, mock.clock.now(), mock.connections().map(({ state }) => state)];
  await first.close();
  const second = await serve(file, { seed: "kept", scenario: "many-connections" });
  onTestFinished(second.close);
  expect(second.mock.connections().map(({ state }) => state)).toEqual(connections);
  expect([second.mock.key, second.mock.faults.list().length]).toEqual([key, 1]);
  expect(second.mock.clock.now()).toBe(time);
  expect(time).toBeGreaterThan(Date.parse(NOW) + 2 * 3_600_000);
});

test("writes each change before it stops, for its owner only, without keys and without leftovers", async () => {
  const place = await folder();
  const file = join(place, "state.json");
  const { mock, url, close } = await serve(file);
  onTestFinished(close);
  const read = async () => JSON.parse(JSON.parse(await readFile(file, "utf8")).snapshot);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await post(mock, "{ status { ok } }", {}, { fetch, url: `${url}/graphql` });
  await expect.poll(async () => (await read()).state.calls.length).toBe(1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, "utf8");
  for (const secret of [mock.key, mock.admin.writeKey].map((one) => one.split(".")[1] ?? ""))
    expect(text).not.toContain(secret);
  expect(await readdir(place)).toEqual(["state.json"]);
});

test("writes in progress are followed by one more, which has the last state", async () => {
  const file = join(await folder(), "state.json");
  const mock = new ConsumerMock();
  const stateFile = new StateFile(file, mock);
  const saves: Promise<void>[] = [];
  for (let changes = 0; changes < 20; changes += 1) {
    await mock.clock.advance("1m");
    saves.push(stateFile.save());
  }
  await Promise.all(saves);
  expect(JSON.parse(await readFile(file, "utf8")).snapshot).toBe(mock.snapshot());
  await mock.clock.advance("1m");
  await stateFile.save();
  expect(JSON.parse(await readFile(file, "utf8")).snapshot).toBe(mock.snapshot());
});

test.each<[string, (text: string) => string]>([
  ["half a file", (text) => text.slice(0, text.length / 2)],
  ["an empty file", () => ""],
  ["another file", () => '{"name": "package"}'],
  ["another version", (text) => text.replace("state/1", "state/2")],
  ["a changed state", (text) => text.replace("PUBLISHED", "PUBLISHEX")],
  ["null", () => "null"],
])("%s gives a clear message and stays unchanged", async (_, damage) => {
  const file = join(await folder(), "state.json");
  await (await serve(file)).close();
  const damaged = damage(await readFile(file, "utf8"));
  await writeFile(file, damaged);
  await expect(serve(file)).rejects.toThrow(
    `The state file ${file} is damaged, or is not a state file of this version of the mock. Delete the file to start without it, or pass another path.`,
  );
  expect(await readFile(file, "utf8")).toBe(damaged);
});

test.each<[string, ServeOptions, string]>([
  [
    "another clock",
    { clock: "running" },
    "The clock of this mock is running, and the clock of the snapshot is manual.",
  ],
  ["another seed", { seed: "other" }, 'has the seed "1", not "other".'],
])("a file with %s is refused", async (_, options, said) => {
  const file = join(await folder(), "state.json");
  await (await serve(file)).close();
  await expect(serve(file, options)).rejects.toThrow(said);
});

test("a mock does not overwrite the state of another process, and reports that once", async () => {
  const place = await folder();
  const file = join(place, "state.json");
  const problems: string[] = [];
  const first = await serve(file, { onError: ({ message }) => problems.push(message) });
  const second = await serve(file);
  await second.mock.clock.advance("2h");
  await second.close();
  const state = await readFile(file, "utf8");
  for (let requests = 0; requests < 3; requests += 1) {
    expect((await fetch(`${first.url}/__mock/clock/advance`, { method: "POST", body: '{"by": "1m"}' })).status).toBe(
      200,
    );
    await expect.poll(() => problems.length).toBe(1);
  }
  const said = `Another process has written the state file ${file}, so this mock no longer does. Use one file for one mock.`;
  expect(problems).toEqual([said]);
  await expect(first.close()).rejects.toThrow(said);
  expect([await readFile(file, "utf8"), await readdir(place)]).toEqual([state, ["state.json"]]);
});

test("a file that was deleted is written again", async () => {
  const file = join(await folder(), "state.json");
  const { mock, close } = await serve(file);
  await rm(file);
  await mock.clock.advance("1m");
  await close();
  expect(JSON.parse(await readFile(file, "utf8")).snapshot).toBe(mock.snapshot());
});

test("a path that is a folder is named", async () => {
  const place = await folder();
  await expect(serve(place)).rejects.toThrow(`The state file ${place} cannot be read (EISDIR).`);
});

test("a failed write leaves no draft", async () => {
  const place = await folder();
  await mkdir(join(place, "taken"));
  await expect(replacePrivateFile(join(place, "taken"), "text")).rejects.toMatchObject({ code: "EISDIR" });
  expect(await readdir(place)).toEqual(["taken"]);
});

test("a folder that does not exist is named at the start, and later problems are reported once", async () => {
  await expect(serve("/nowhere/state.json")).rejects.toThrow(
    "The state file /nowhere/state.json cannot be written (ENOENT). Check that its folder exists and is writable.",
  );
  const place = await folder();
  const problems: string[] = [];
  const { url, close } = await serve(join(place, "state.json"), { onError: ({ message }) => problems.push(message) });
  onTestFinished(() => close().catch(() => undefined));
  await rm(place, { recursive: true });
  for (let requests = 0; requests < 3; requests += 1) {
    expect((await fetch(`${url}/__mock/clock/advance`, { method: "POST", body: '{"by": "1m"}' })).status).toBe(200);
    await expect.poll(() => problems.length).toBe(1);
  }
});

test("`serve --state-file` keeps the state, and a damaged file ends the command with its message", async () => {
  const file = join(await folder(), "state.json");
  const run = () => runCli(["serve", "--port", "0", "--state-file", file], { untilStopped: async () => undefined });
  expect(await run()).toMatchObject({ code: 0, warned: "" });
  expect(await run()).toMatchObject({ code: 0, warned: "" });
  await writeFile(file, "{");
  expect((await run()).code).toContain(`The state file ${file} is damaged`);
});
