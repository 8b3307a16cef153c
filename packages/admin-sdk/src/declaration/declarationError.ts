import { SocialConnectError } from "@social-connect/sdk-core/errors";

/** Path in a declaration: field names and list indexes. */
export type Path = readonly (string | number)[];

/** A problem in a declaration. It contains the position and the rule, but no value. */
export interface DeclarationProblem {
  /** For example `returnUrls[1].url`; empty for the declaration as a whole. */
  readonly place: string;
  /** The violated rule. */
  readonly message: string;
  /** The name of the file, if any. */
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

/** A path in the usual notation: `clients[0].returnUrls[1]`. */
export function placeOf(path: Path): string {
  return path.reduce<string>((place, part) => {
    if (typeof part === "number") return `${place}[${part}]`;
    const name = FIELD_NAME.test(part) ? part : "(redacted)";
    return place === "" ? name : `${place}.${name}`;
  }, "");
}
