import { serviceOutputs } from "../platform/log/lineOutput.ts";
import { runCommandLine } from "./runCommandLine.ts";

let isOutputLost = false;
for (const stream of [process.stdout, process.stderr]) {
  // A reader may end early, as `head` does: a command that changes something completes it.
  stream.on("error", ({ code }: NodeJS.ErrnoException) => {
    isOutputLost ||= code !== "EPIPE";
  });
}

/** A pipe takes long output in parts, and `process.exit` does not wait for the last. */
async function exit(code: number): Promise<void> {
  const outputs = serviceOutputs();
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => void stream.write("", () => resolve())),
  );
  // A service ends even if its reader does not read.
  await (outputs.length > 0 ? Promise.all(outputs.map((output) => output.end())) : Promise.all(written));
  process.exit(code || (isOutputLost && outputs.length === 0 ? 1 : 0));
}

// Libraries may leave timers running, and everything that had to shut down has done so.
runCommandLine(process.argv.slice(2)).then(exit);
