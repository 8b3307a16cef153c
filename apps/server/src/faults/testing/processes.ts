import { fileURLToPath } from "node:url";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { SOURCE_FLAGS, startProgram } from "../../../../../packages/testkit/src/harness/startedProgram.ts";

export type Told = ReturnType<typeof startTold>;

/** Starts a file of this folder, which sends messages on its IPC channel and is killed at the end. */
export function startTold(processes: AsyncDisposableStack, file: string, environment: Record<string, string>) {
  const program = startProgram({
    name: file,
    command: [process.execPath, ...SOURCE_FLAGS, fileURLToPath(new URL(file, import.meta.url))],
    environment: { ...INHERITED_ENVIRONMENT, HOME: process.env.HOME, ...environment },
    isAlone: true,
  });
  processes.defer(program.kill);
  const messages: unknown[] = [];
  program.child.on("message", (message) => messages.push(message));
  return {
    ...program,
    tells: (message: string) => program.until(async () => messages.includes(message)),
    /** The next message, from now on. */
    next: async <Message>() => {
      const index = messages.length;
      await program.until(async () => messages.length > index);
      return messages[index] as Message;
    },
  };
}
