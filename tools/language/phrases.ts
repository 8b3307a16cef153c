/** Wording that a reader who knows the field would have to translate, and what to write in its place. */
export interface Phrases {
  readonly use: string;
  /** Regular expressions for whole words; a space also matches a line break. */
  readonly avoid: readonly string[];
}

/** Phrases that no one in the field would write. Ordinary words are not on the list, whatever they mean elsewhere. */
export const PHRASES: readonly Phrases[] = [
  {
    use: "the noun: the error's code, the budget with the least left",
    avoid: [String.raw`(?-i:Of)(?! (?:course|\d))`],
  },
  { use: "again, re-create, reload", avoid: ["anew"] },
  { use: "fix, reconcile, correct", avoid: ["mend(?:s|ed|ing)?"] },
  { use: "checked against, compared with", avoid: ["held against", "holds? against"] },
  { use: "an unknown caller, a third party", avoid: ["strangers?(?:'s)?"] },
  { use: "does not exist, there is no …", avoid: ["(?:is|are|was|were|be) none"] },
  { use: "a literal term", avoid: ["neighbou?rs?", "farewells?", "goodbyes?", "inhabitants?", "forgers?"] },
  { use: "nothing, or a neutral verb", avoid: ["surely", "in earnest", "for want of"] },
  { use: "the message, the same response", avoid: [String.raw`in (?:\w+ )?(?:\w+ )?words`, "without a word"] },
  { use: "what happened to, the result of", avoid: ["bec[ao]mes? of"] },
  { use: "writes, records, stores", avoid: ["writ(?:e|es|ten|ing) down", "wrote down"] },
  { use: "distinguished, is rejected", avoid: ["told apart", "is found out", "taken for (?:one|good)"] },
  { use: "from now on, by then: give the time or the event", avoid: ["from then on", "for ever", "been by"] },
  { use: "prompts again, without a request", avoid: ["asks? again", "unasked"] },
  { use: "is not one, does not count", avoid: ["(?:as )?good as none", String.raw`as little \w+ as`] },
  { use: "resolution", avoid: ["cures?"] },
  { use: "unknown, added later", avoid: ["of tomorrow"] },
  { use: "is redirected, returns", avoid: ["way back"] },
  { use: "retried, another attempt", avoid: ["tr(?:y|ies|ied) once more"] },
  { use: "interrupted, truncated", avoid: ["broke off", "breaks? off"] },
];

/** One thing, one name: see docs/reference/glossary.md. */
export const TERMS: readonly Phrases[] = [
  { use: "email", avoid: ["e-mails?"] },
  { use: "ID token", avoid: ["id[ -]token"] },
];
