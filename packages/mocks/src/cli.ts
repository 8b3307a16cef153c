#!/usr/bin/env node
import { allowClosedPipes, messageOf } from "@social-connect/domain";
import { runCommand } from "./cli/command.ts";

const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  // Nobody knows the address of a mock that could not print it.
  allowClosedPipes([process.stdout, process.stderr], resolve);
});

runCommand(process.argv.slice(2), {
  print: (text) => process.stdout.write(`${text}\n`),
  warn: (text) => process.stderr.write(`${text}\n`),
  environment: process.env,
  untilStopped: () => stopped,
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 2;
  },
);
