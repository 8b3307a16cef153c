import { systemCodeOf } from "./messageOf.ts";

/** Standard output or standard error of a program. */
export interface ProgramOutput {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** A reader may end before the program that it reads, as `head` does. The program has not failed then. */
export function allowClosedPipes(outputs: readonly ProgramOutput[], onClosed: () => void = () => undefined): void {
  for (const output of outputs) {
    output.on("error", (error) => {
      if (systemCodeOf(error) !== "EPIPE") throw error;
      onClosed();
    });
  }
}
