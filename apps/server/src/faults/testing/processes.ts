import { fileURLToPath } from "node:url";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { SOURCE_FLAGS, StartedProgram } from "../../../../../packages/testkit/src/harness/startedProgram.ts";

/** Starts a file of this folder, which is killed at the end. */
export function startTold(processes: AsyncDisposableStack, file: string, environment: Record<string, string>): Told {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = new Told({
    name: file,
    command: [process.execPath, ...SOURCE_FLAGS, path],
    environment: { ...INHERITED_ENVIRONMENT, HOME: process.env.HOME, ...environment },
    isAlone: true,
  });
  processes.defer(() => child.kill());
  return child;
}

/** A program that sends messages on its IPC channel. */
export class Told extends StartedProgram {
  readonly #messages: unknown[] = [];

  constructor(...options: ConstructorParameters<typeof StartedProgram>) {
    super(...options);
    this.child.on("message", (message) => this.#messages.push(message));
  }

  tells(message: string): Promise<void> {
    return this.until(async () => this.#messages.includes(message));
  }

  /** The next message, from now on. */
  async next<Message>(): Promise<Message> {
    const index = this.#messages.length;
    await this.until(async () => this.#messages.length > index);
    return this.#messages[index] as Message;
  }
}
