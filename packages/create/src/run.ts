import { main } from "./main.ts";

// A reader may end early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  isTerminal: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  userAgent: process.env["npm_config_user_agent"] ?? "",
  printError: (line) => console.error(line),
});
