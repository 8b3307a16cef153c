import { fileURLToPath } from "node:url";
import { INHERITED_ENVIRONMENT } from "@social-connect/testkit";
import { SOURCE_FLAGS, StartedProgram } from "../../../../../packages/testkit/src/harness/startedProgram.ts";

/** Child processes of one test file; the remaining ones are killed at the end. */
export class Processes {
  readonly #children: StartedProgram[] = [];

  add(child: StartedProgram): void {
    this.#children.push(child);
  }

  /** Starts a file of this folder. */
  start(file: string, environment: Record<string, string>): Told {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const child = new Told({
      name: file,
      command: [process.execPath, ...SOURCE_FLAGS, path],
      environment: { ...INHERITED_ENVIRONMENT, HOME: process.env.HOME, ...environment },
      isAlone: true,
    });
    this.add(child);
    return child;
  }

  async end(): Promise<void> {
    for (const child of this.#children) await child.kill();
  }
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
