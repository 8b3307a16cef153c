import { runCommand } from "../cli/command.ts";
import type { CommandIo } from "../cli/commandIo.ts";

export async function runCli(args: readonly string[], over: Partial<CommandIo> = {}) {
  const [printed, warned]: [string[], string[]] = [[], []];
  const code = await runCommand(args, {
    print: (text) => printed.push(text),
    warn: (text) => warned.push(text),
    environment: {},
    untilStopped: () => new Promise<void>(() => undefined),
    ...over,
  }).catch((error: Error) => error.message);
  return { code, printed: printed.join("\n"), warned: warned.join("\n") };
}
