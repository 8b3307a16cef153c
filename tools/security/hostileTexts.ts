/** Strings on which a parser with worse than linear time is slow. */

import { type AST, RegExpParser } from "@eslint-community/regexpp";

export const MEBIBYTE = 1_048_576;
/** A thirty-second: what is not linear shows there, and is not waited for. */
export const SMALL = MEBIBYTE / 32;

/** A string that ends like this fails patterns anchored to the end, which then retry from every position. */
const MISFIT = "\u0001";

export const UNITS: readonly string[] = [
  ..."aAzZ09fF._-+~!*'\"`()[]{}<>@:;,/\\|=&?#%$^ \t\n\r\0",
  ...["é", "ß", "İ", "\u200b", "\u2028", "\ufeff", "😀", "\ud800", "\udc00"],
  ...["0123456789abcdef", "a.", "a-", "1.", "a ", " ,", "a\n", "\r\n", "a=1&", "a=1; ", '"a",', "[1,", '{"a":', "</a>"],
  ...["%4", "%41", "%c3%a9", "\\u0041", "\\\\", "&amp;", "&#x41;", "://", "http://a:", "a:b@", "//", "/../", "../"],
  ...[
    "Bearer ",
    "Bearer a",
    "scadm_",
    "xn--",
    "__Host-",
    "PT1",
    "1h",
    "2026-01-01T00:00:00Z",
    "GMT ",
    "W/",
    'rel="next", ',
  ],
];

/** One repeated unit each, with an end that does not fit. `bytes` counts UTF-16 units: at least as many bytes. */
export function hostileTexts(bytes: number): string[] {
  return UNITS.map((unit) => repeated(unit, bytes));
}

export function repeated(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes) + MISFIT;
}

/** What nearly matches an expression: for each sequence in it, a text that matches its beginning, up to any element. */
export function nearMatches(expression: RegExp): string[] {
  const parser = new RegExpParser();
  const pattern = parser.parsePattern(expression.source, undefined, undefined, {
    unicode: expression.unicode,
    unicodeSets: expression.flags.includes("v"),
  });
  const found = new Set<string>();
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives) {
      for (let count = 1; count <= elements.length; count += 1) {
        found.add(
          elements
            .slice(0, count)
            .map((element) => sampleOf(element, expression.flags))
            .join(""),
        );
      }
      for (const element of elements) {
        const inner = element.type === "Quantifier" ? element.element : element;
        found.add(sampleOf(inner, expression.flags));
        if ("alternatives" in inner) visit(inner.alternatives);
      }
    }
  };
  visit(pattern.alternatives);
  found.delete("");
  return [...found];
}

function sampleOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass": {
      const one = new RegExp(`^${element.raw}$`, flags.replaceAll(/[gy]/g, ""));
      return CANDIDATES.find((candidate) => one.test(candidate)) ?? "";
    }
    case "Quantifier":
      return sampleOf(element.element, flags).repeat(Math.min(Math.max(element.min, 1), 64));
    case "Group":
    case "CapturingGroup":
      return (element.alternatives[0]?.elements ?? []).map((inner) => sampleOf(inner, flags)).join("");
    default:
      return "";
  }
}

const CANDIDATES = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  ...["\n", "\0", "\u0007", "\u200b", "\u2028", "\u2029", "\ud800", "é", "\u00ad"],
];
