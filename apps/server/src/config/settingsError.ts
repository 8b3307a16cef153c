/** An invalid or missing setting: name, reason and remedy. */
export interface SettingProblem {
  readonly name: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Invalid settings: the message has the name and remedy of each and repeats no value. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ name, problem, remedy }) => `${name}: ${problem}. ${remedy}.`).join("\n"));
    this.name = "SettingsError";
    this.problems = problems;
  }
}
