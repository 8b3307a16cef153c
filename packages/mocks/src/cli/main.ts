import { printableLines } from "@social-connect/contract";
import { droppingWriter, handleSignals, messageOf, systemCodeOf } from "@social-connect/domain";
import { runCommand } from "./command.ts";

// A mock that serves continues without its output.
const writeOut = droppingWriter(process.stdout);
const writeError = droppingWriter(process.stderr);
const print = (text: string) => writeOut(printableLines(text));
const warn = (text: string) => writeError(printableLines(text));
const stopping = new AbortController();
/** A command that does not wait for the end is ended by a signal. */
let waits = false;

// No one knows the address of a mock whose reader ended before it was printed.
process.stdout.on("error", (error) => systemCodeOf(error) === "EPIPE" && stopping.abort());
// Before anything is printed, because a program that reads it may send a signal immediately.
handleSignals(process, {
  nowMs: () => performance.now(),
  stop: () => (waits ? stopping.abort() : process.exit(1)),
  exit: () => process.exit(1),
  say: warn,
});

runCommand(process.argv.slice(2), {
  print,
  warn,
  environment: process.env,
  untilStopped: async () => {
    waits = true;
    if (stopping.signal.aborted) return;
    await new Promise((resolve) => stopping.signal.addEventListener("abort", resolve, { once: true }));
  },
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    warn(messageOf(error));
    process.exitCode = 2;
  },
);
