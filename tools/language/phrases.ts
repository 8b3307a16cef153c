/** Wording that a reader who knows the field would have to translate, and what to write in its place. */
export interface Phrases {
  readonly use: string;
  /** Regular expressions for whole words; a space also matches a line break. */
  readonly avoid: readonly string[];
}

/**
 * Found by comparing this repository with the prose of node-oidc-provider, graphile-worker, GraphQL Yoga, trigger.dev and Ory:
 * each of these occurred here at least five times as often as there. `(?<!…)` and `(?!…)` spare the field's own terms.
 */
export const PHRASES: readonly Phrases[] = [
  { use: "reports, returns, knows, distinguishes", avoid: ["told", "tells?", "telling"] },
  { use: "no one, no user, no process: name who", avoid: ["nobody(?:'s)?"] },
  { use: "someone, a user, another admin: name who", avoid: ["somebody(?:'s)?", "anybody(?:'s)?", "everybody(?:'s)?"] },
  { use: "a caller that, any user who", avoid: ["whoever"] },
  { use: "any, regardless of", avoid: ["whatever", "whichever", "wherever"] },
  { use: "an unknown caller, a third party", avoid: ["strangers?(?:'s)?"] },
  { use: "again, re-create, rewrite, reload", avoid: ["anew"] },
  { use: "fix, reconcile, correct", avoid: ["mend(?:s|ed|ing)?"] },
  { use: "in the meantime, concurrently, during the request", avoid: ["meanwhile"] },
  {
    use: "checked against, compared with, delays",
    avoid: ["held against", "holds? against", "held (?:to|up)", "holds? up"],
  },
  { use: "replaces, simulates, is, is stored", avoid: ["stands?", "stood", "standing"] },
  { use: "is, is below, uses", avoid: ["lies?", "lain", "lying"] },
  {
    use: "continues, is removed, is cleared",
    avoid: ["go(?:es|ing)? (?:on|off|away|out)", "went (?:on|off|away|out)"],
  },
  { use: "immediately, concurrently, in one request", avoid: ["at once"] },
  { use: "only", avoid: ["(?<!stand)alone"] },
  { use: "the noun itself: a request that, keys that", avoid: ["(?:one|those|ones) that", "another one"] },
  { use: "start", avoid: ["begun"] },
  { use: "stored, retained, unchanged", avoid: ["kept"] },
  { use: "exists, contains", avoid: ["is there"] },
  { use: "the reason is, the message states", avoid: ["it says", "says? so", "said so", "says? (?:of|what)"] },
  { use: "entry point, interface, port", avoid: ["doors?"] },
  { use: "time, instant, timestamp", avoid: ["moments?"] },
  {
    use: "does not exist, is not a URL, there is no …",
    avoid: [
      "none is",
      "(?:is|are|was|were|be) none",
      "(?<!there )(?:is|are|was|were) no(?! (?:longer|more than|later|older|larger))",
    ],
  },
  { use: "manually, in code, hand-written", avoid: ["by hand", "in (?:the )?hands?(?: of)?"] },
  { use: "removed, expired, missing, deleted", avoid: ["(?<!410 )gone"] },
  {
    use: "revoked, returned, removed, replaced",
    avoid: ["(?:taken|takes?|took|taking|given|gives?|gave|giving) back"],
  },
  { use: "removes, omits, reads, replaces, disables", avoid: ["(?:taken|takes?|took|taking) (?:away|up|off|out|in)"] },
  { use: "restored, reset", avoid: ["puts? back", "putting back"] },
  { use: "checked, inspected, read, searched, resembles", avoid: ["look(?:s|ed|ing)?(?![ -]?ups?\\b| \\w+ up\\b)"] },
  { use: "issued, passed, returned", avoid: ["hand(?:s|ed|ing)? (?:out|over)"] },
  {
    use: "returns, is redirected, arrives",
    avoid: ["(?:comes?|came|coming) (?:back|along|off|through|by|late)", "way back"],
  },
  { use: "in transit, during the redirect", avoid: ["on (?:the|its|their) way"] },
  { use: "sets, moves, updates, adds", avoid: ["brings", "brought"] },
  {
    use: "retried, another attempt",
    avoid: ["tried again", "tr(?:y|ies|ied) once more", "(?:another|first|next|second|third|last) try"],
  },
  { use: "no longer", avoid: ["any more", "no more(?! than)"] },
  { use: "its own server, a separate server", avoid: ["of (?:its|their|his|her|one's) own"] },
  { use: "automatically, on its own, implicitly", avoid: ["by (?:itself|themselves)"] },
  { use: "up to, where", avoid: ["as far as"] },
  { use: "expired, after its deadline", avoid: ["past (?:its|their)"] },
  { use: "in progress, running", avoid: ["under way"] },
  { use: "omitted, skipped", avoid: ["left out", "leaves? out", "leaving out"] },
  { use: "interrupted, truncated", avoid: ["cut off", "broke off", "breaks? off"] },
  {
    use: "valid, active, passes",
    avoid: ["(?:is|are|was|were|be|stays?) good(?! (?:idea|practice|reason))", "good (?:key|token|until|for)"],
  },
  { use: "revoked, expired, terminated", avoid: ["dead(?![- ]?(?:letter|code|lock|line))"] },
  { use: "active, running, valid", avoid: ["(?<!keep-|keep )alive"] },
  { use: "requires, expects", avoid: ["wants", "wanted"] },
  { use: "prefer a neutral verb", avoid: ["surely", "no harm", "in earnest", "for want of", "all the same"] },
  { use: "drops, evicts, discards", avoid: ["forgets?"] },
  { use: "supports, implements", avoid: ["speaks?", "spoken", "spoke"] },
  { use: "strings", avoid: ["texts"] },
  { use: "the message, the same response", avoid: ["in (?:\\w+ )?(?:\\w+ )?words", "without a word"] },
  { use: "does not include, has no", avoid: ["nothing of", "nothing but"] },
  { use: "everything, all the …", avoid: ["all that"] },
  { use: "unchanged, as is", avoid: ["as (?:it|they) (?:is|are|was|were|stands?)"] },
  {
    use: "prompts, requests, is required to",
    avoid: ["(?:is|are|was|were) asked", "asked again", "asks? again", "unasked"],
  },
  { use: "what happened to, the result of", avoid: ["bec[ao]mes? of"] },
  { use: "writes, records, saves", avoid: ["writ(?:e|es|ten|ing) down", "wrote down"] },
  {
    use: "a literal term without a metaphor",
    avoid: ["neighbou?rs?", "farewells?", "goodbyes?", "inhabitants?", "forgers?"],
  },
  {
    use: "from now on, by then: give the time or the event",
    avoid: ["by now", "from then on", "for ever", "for once", "been by"],
  },
  { use: "environment, development setup", avoid: ["set-ups?"] },
  { use: "resolution", avoid: ["cures?"] },
  { use: "equally, in the same way", avoid: ["alike"] },
  { use: "returns to, is redirected to", avoid: ["sent back", "goes? back to"] },
  { use: "unknown, added later", avoid: ["of tomorrow"] },
  { use: "stays active, remains", avoid: ["lives? on"] },
  { use: "is rejected, reports, validates", avoid: ["told apart", "is found out", "taken for (?:one|good)"] },
  { use: "concurrent, in progress", avoid: ["at work"] },
];

/** One thing, one name: see docs/reference/glossary.md. */
export const TERMS: readonly Phrases[] = [
  { use: "email", avoid: ["e-mails?"] },
  { use: "ID token", avoid: ["id[ -]token"] },
];
