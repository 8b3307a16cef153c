import { once } from "node:events";
import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import { EXIT } from "./exitCodes.ts";
import { run } from "./run.ts";

const OWNER_ONLY = 0o600;

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort(signal));
let isOutputLost = false;
for (const output of [process.stdout, process.stderr]) {
  // A closed pipe, as with `head`, must not fail or interrupt an apply.
  output.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    isOutputLost = true;
    process.exitCode ||= EXIT.noOutput;
  });
}

const exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  // Skips a byte order mark.
  readFile: async (path) =>
    new TextDecoder("utf-8", { fatal: true }).decode(await (path === "-" ? buffer(process.stdin) : readFile(path))),
  writeFile,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  signal: stop.signal,
});
process.exitCode = isOutputLost ? exitCode || EXIT.noOutput : exitCode;

/** Not through a symbolic link, which could lead to any file of the user. */
async function writeFile(path: string, content: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, OWNER_ONLY);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input is not a confirmation.
  const ended = once(lines, "close").then(() => "");
  try {
    return await Promise.race([lines.question(question, { signal: stop.signal }), ended]);
  } finally {
    lines.close();
  }
}
