import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { writeEarlier } from "./testing/builtSite.ts";

const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
const CLI = fileURLToPath(new URL("./cli.ts", import.meta.url));

async function run(...parameters: readonly string[]) {
  const child = spawn(process.execPath, [...FLAGS, CLI, ...parameters], { stdio: ["ignore", "ignore", "pipe"] });
  const [errors] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, errors };
}

test.each([
  [["publish"], "Unknown command: publish. Use build or serve.\n"],
  [["--prot", "1"], "Unknown option '--prot'"],
  [["serve", "--port", "65536"], "--port must be a port from 0 to 65535.\n"],
  [["serve", "--port", "web"], "--port must be a port from 0 to 65535.\n"],
  [["serve", "--root", tmpdir()], "--root must be a copy of this repository.\n"],
  [["build", "--release", "1.0.0"], "--release must be NAME=REF, not 1.0.0.\n"],
  [["build", "--release", "1=nowhere"], "--release: nowhere is not a commit, tag, branch or folder.\n"],
])("%j is refused in one line", async (parameters, message) => {
  const { code, errors } = await run(...parameters);
  expect(code).toBe(64);
  expect(errors).toMatch(message);
  expect(errors).not.toContain("    at ");
});

test("names a port that is in use", async () => {
  const root = await mkdtemp(join(tmpdir(), "social-connect-pages-"));
  onTestFinished(() => rm(root, { recursive: true }));
  writeEarlier(root);
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address() as AddressInfo;
  const { code, errors } = await run("serve", "--root", root, "--port", String(port));
  taken.close();
  expect([code, errors]).toEqual([64, `Port ${port} is already in use. Choose another port with --port.\n`]);
});
