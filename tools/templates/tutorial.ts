/** The commands of a tutorial, as a reader types them. */
export interface TutorialCommand {
  readonly line: string;
  /** Runs until the reader stops it. */
  readonly isLongRunning: boolean;
}

const SHELL_BLOCK = /^```sh\n(.*?)^```$/gms;
const LONG_RUNNING = /^npm run (?:service|dev)$/;

/** Every line of the shell blocks, in order. */
export function commandsOf(markdown: string): readonly TutorialCommand[] {
  const lines = [...markdown.matchAll(SHELL_BLOCK)].flatMap(([, block = ""]) => block.trim().split("\n"));
  return lines.map((line) => ({ line, isLongRunning: LONG_RUNNING.test(line) }));
}

/** The same commands for another template. */
export function forTemplate(commands: readonly TutorialCommand[], template: string): readonly TutorialCommand[] {
  return commands.map(({ line, ...command }) => ({
    ...command,
    line: line.replace(/--template \S+/, `--template ${template}`),
  }));
}
