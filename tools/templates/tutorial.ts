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

/** The commands of who chooses the tab of a template. */
export function forTemplate(commands: readonly TutorialCommand[], template: string): readonly TutorialCommand[] {
  return commands.filter(({ line }) => [undefined, template].includes(/--template (\S+)/.exec(line)?.[1]));
}
