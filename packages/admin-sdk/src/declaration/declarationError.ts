import { SocialConnectError } from "@social-connect/sdk-core";

/** Path in a declaration: field names and list indexes. */
export type Path = readonly (string | number)[];

/** Something that is wrong with a declaration. It names the place and the rule, and repeats no value. */
export interface DeclarationProblem {
  /** For example `returnUrls[1].url`; empty when it is about the declaration as a whole. */
  readonly place: string;
  /** What is wrong, and what it has to be. */
  readonly message: string;
  /** The file, where it came from one. */
  readonly source?: string | undefined;
  /** Line in the file, from 1. */
  readonly line?: number | undefined;
  /** Column in that line, from 1. */
  readonly column?: number | undefined;
}

/** A declaration cannot be planned: `problems` and the message list everything that is invalid. */
export class DeclarationError extends SocialConnectError {
  static override readonly family: string = "DeclarationError";
  /** All problems, in the order of the file. */
  readonly problems: readonly DeclarationProblem[];

  constructor(problems: readonly DeclarationProblem[]) {
    super("configuration", { code: "DECLARATION_INVALID", message: problems.map(lineOf).join("\n") });
    this.problems = problems;
  }
}

function lineOf({ place, message, source, line, column }: DeclarationProblem): string {
  const position = line === undefined ? [source] : [source, line, column];
  const where = [position.filter((part) => part !== undefined).join(":"), place].filter((part) => part !== "");
  return [...where, message].join(": ");
}

/** Known field names only; any other text could be a secret in the wrong place. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9]{0,39}$/;

/** A path as a person writes it: `clients[0].returnUrls[1]`. */
export function placeOf(path: Path): string {
  return path.reduce<string>((place, part) => {
    if (typeof part === "number") return `${place}[${part}]`;
    const name = FIELD_NAME.test(part) ? part : "(a name that is not shown)";
    return place === "" ? name : `${place}.${name}`;
  }, "");
}
