import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator } from "../testing/testSimulator.ts";

let folder: string;
let stateFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "simulator-state-"));
  stateFile = join(folder, "nested", "simulator.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("tokens, posts, the clock and the issuer's keys survive a restart", async () => {
  const first = await startTestSimulator({ stateFile });
  const account = await first.connect("provider-b", "paper-cranes");
  const published = await first.control("POST", "/accounts/provider-b/paper-cranes/posts", { title: "Kept" });
  await first.control("POST", "/clock", { advance: "5m" });
  const keys = (await first.call(`${first.issuerUrl}/jwks`)).text;
  const posts = (await first.control("GET", "/accounts/provider-b/paper-cranes/posts")).text;
  await first.close();

  const second = await startTestSimulator({ stateFile });
  const headers = { authorization: `Bearer ${account.accessToken}` };
  const user = await second.call(`${second.providerUrls["provider-b"]}/v2/user/info/?fields=open_id`, { headers });
  expect(user.status).toBe(200);
  expect((await second.refresh("provider-b", account.refreshToken)).status).toBe(200);
  expect((await second.control("GET", "/clock")).at("offsetMs")).toBe(300_000);
  expect((await second.call(`${second.issuerUrl}/jwks`)).text).toBe(keys);
  expect((await second.control("GET", "/accounts/provider-b/paper-cranes/posts")).text).toBe(posts);
  expect(posts).toContain(String(published.at("id")));
  await second.close();
});

test("a revoked grant stays revoked after a restart", async () => {
  const first = await startTestSimulator({ stateFile });
  const account = await first.connect("provider-b", "paper-cranes");
  await account.revoke();
  await first.close();
  const second = await startTestSimulator({ stateFile });
  expect((await second.refresh("provider-b", account.refreshToken)).at("error")).toBe("invalid_grant");
  await second.close();
});

test("the file contains no tokens, is readable only by its owner, and leaves no temporary file", async () => {
  const simulator = await startTestSimulator({ stateFile });
  const account = await simulator.connect("provider-a", "unicode");
  await simulator.close();
  const text = await readFile(stateFile, "utf8");
  expect(text).toContain('"accountName":"unicode"');
  for (const secret of [account.accessToken, account.refreshToken]) expect(text).not.toContain(secret);
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "nested"))).toEqual(["simulator.json"]);
});

test.each([
  ["half a file", '{"version":1,"seed":"x"'],
  ["another program's file", '{"name":"package"}'],
])("refuses to start with %s and names the file", async (_case, text) => {
  const path = join(folder, "state.json");
  await writeFile(path, text);
  await expect(startTestSimulator({ stateFile: path })).rejects.toThrow(
    `${path} is not a state file of this simulator`,
  );
});
