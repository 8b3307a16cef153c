import { PHRASES, type Phrases, TERMS } from "./phrases.ts";
import { DIRECTIVE, passagesOf, proseOf } from "./prose.ts";

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const RULES = Object.entries({ "plain-english": PHRASES, terms: TERMS }).flatMap(([rule, phrases]) =>
  phrases.map(({ use, avoid }) => ({ rule, use, pattern: patternOf(avoid) })),
);
const ALL = "all rules";
/** Matches in a file with a phrase, also in its code. Most files have no match, and parsing them takes the most time. */
const MAY_HOLD_PHRASE = patternOf([...PHRASES, ...TERMS].flatMap(({ avoid }) => avoid));

/** Whole words; a space also matches a line break. */
function patternOf(avoid: Phrases["avoid"]): RegExp {
  const phrases = avoid.join("|").replaceAll(" ", String.raw`\s+`);
  return new RegExp(String.raw`(?<![\w-])(?:${phrases})(?![\w-])`, "gi");
}

export function checkLanguage(path: string, text: string): readonly Finding[] {
  const findingAt = (index: number, message: string): Finding => {
    const before = text.slice(0, index).split("\n");
    return { path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
  };
  // An exception is written `wording-disable rule -- reason`.
  const unexplained = text.matchAll(/^[^\S\n]*(?:<!--|\/\/|\/\*|#) wording-disable\b(?![^\n]* -- \w+ \w+)/gm);
  const exceptions = [...unexplained].map(({ index }) =>
    findingAt(index, "give the reason of the exception: wording-disable plain-english -- the RFC's term"),
  );
  // A phrase may continue in the comment of the next line.
  if (text.replaceAll(/[*/#]/g, " ").search(MAY_HOLD_PHRASE) < 0) return exceptions;
  const off = new Set<string>();
  const findings = passagesOf(path, text).flatMap((passage) => {
    const comment = passage.kind === "comment" ? text.slice(passage.start, passage.end) : "";
    const [, what, only = ALL] = DIRECTIVE.exec(comment) ?? [];
    if (what === "enable") off.clear();
    else if (what === "disable") off.add(only);
    return RULES.filter(({ rule }) => !off.has(rule) && !off.has(ALL)).flatMap(({ use, pattern }) =>
      [...proseOf(passage, text).matchAll(pattern)].flatMap(({ 0: found, index }) => {
        const phrase = found.replaceAll(/\s+/g, " ");
        // A term in other letters than these.
        return phrase === use ? [] : [findingAt(passage.start + index, `“${phrase}”: write ${use}`)];
      }),
    );
  });
  return [...findings, ...exceptions];
}
