import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { main } from "./main.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "social-connect-create-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Session {
  readonly answers?: readonly string[];
  readonly userAgent?: string;
}

/** With answers, in a terminal: each is typed when its question is shown, and then the input ends. */
async function run(parameters: readonly string[], { answers, userAgent = "npm/11.0.0 node/v24" }: Session = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const errors: string[] = [];
  let text = "";
  let asked = 0;
  const left = [...(answers ?? [])];
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
    const questions = text.match(QUESTIONS)?.length ?? 0;
    if (answers === undefined || questions === asked) return;
    asked = questions;
    const answer = left.shift();
    setImmediate(() => (answer === undefined ? input.end() : input.write(answer)));
  });
  const surroundings = { input, output, isTerminal: answers !== undefined, userAgent };
  const code = await main(parameters, { ...surroundings, printError: (line) => void errors.push(line) });
  return { code, output: text, errors: errors.join("\n") };
}

/** A question that waits for its answer has this mark of the library. */
const QUESTIONS = /◆\s+(?:Folder|Framework|These files exist)/g;
const [ENTER, DOWN] = ["\r", "\u001B[B"];

test("works without a terminal, and prints the commands to run next", async () => {
  const place = join(folder, "shop");
  const { code, output, errors } = await run([place, "--template", "express", "--port", "4000"]);
  expect([code, errors]).toEqual([0, ""]);
  expect(output).toContain("Created the Express application");
  for (const command of ["npm install", "npm run service", "npm run dev"]) expect(output).toContain(`  ${command}`);
  expect(output).toContain("open http://localhost:4000 and press Connect");
  expect(await readdir(place)).toContain("package.json");
});

test("accepts what npm leaves of `--template express` without `--`, and names the package manager that runs it", async () => {
  const { code, output } = await run([join(folder, "shop"), "express"], { userAgent: "pnpm/12.21.0 npm/? node/v24" });
  expect(code).toBe(0);
  expect(output).toContain("  pnpm run service");
});

test("asks for the folder and the framework in a terminal", async () => {
  const answers = [`${join(folder, "shop")}${ENTER}`, `${DOWN}${ENTER}`];
  const { code, output } = await run([], { answers });
  expect(code).toBe(0);
  expect(output).toContain("Created the Next.js application");
  expect(await readdir(join(folder, "shop"))).toContain("app");
});

test.each([
  ["y", 0],
  ["n", 1],
  [ENTER, 1],
])("replaces existing files only after the answer y: %j", async (answer, expected) => {
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src/main.ts"), "mine");
  const { code, output } = await run([folder, "-t", "express"], { answers: [answer] });
  expect(code).toBe(expected);
  expect(output).toContain("These files exist: src/main.ts. Replace them?");
  const isReplaced = (await readFile(join(folder, "src/main.ts"), "utf8")) !== "mine";
  expect(isReplaced).toBe(expected === 0);
});

test("without a terminal, existing files stop it, and --overwrite replaces them", async () => {
  await writeFile(join(folder, "README.md"), "mine");
  const refused = await run([folder, "-t", "express"]);
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining("README.md. Nothing was written.") });
  expect(await readdir(folder)).toEqual(["README.md"]);
  expect((await run([folder, "-t", "express", "--overwrite"])).code).toBe(0);
});

test("the end of the input ends it, and nothing is written", async () => {
  const { code, errors } = await run([], { answers: [] });
  expect([code, errors]).toEqual([1, "Nothing was written."]);
});

test.each([
  [["x"], "Choose a template with --template: express"],
  [["x", "--template", "rails"], "There is no template rails. Choose one of express"],
  [["x", "express", "y"], "Name one folder"],
  [["x", "-t", "express", "--port", "0"], '--port must be a whole number from 1 to 65535, not "0".'],
  [["x", "-t", "express", "--port", ""], '--port must be a whole number from 1 to 65535, not "".'],
  [["x", "-t", "express", "--port", "1e3"], '--port must be a whole number from 1 to 65535, not "1e3".'],
  [["", "-t", "express"], "The folder must not be empty."],
  [["--nope"], "--nope"],
])("%j is wrong usage", async (parameters, message) => {
  const { code, errors } = await run(parameters);
  expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
});

test("--help and --version", async () => {
  expect((await run(["--help"])).output).toContain("--template NAME");
  expect((await run(["--version"])).output).toBe(`${manifest.version}\n`);
});
