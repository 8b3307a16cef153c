import type { Random } from "./random.ts";

const THINGS = "harbour, oven, night train, paper boat, linen, tide, swallow, workbench, hill, lantern".split(", ");
const DOINGS = "Repairing, Finding, A morning with, Notes on, How we found, Drawing, Listening to, Before".split(", ");
const ENDINGS = "in the rain, after dark, on paper, for beginners, once more, on a Sunday, from above, at last".split(
  ", ",
);

/** The title of an ordinary post. */
export function writeTitle(random: Random): string {
  return `${random.pick(DOINGS)} the ${random.pick(THINGS)} ${random.pick(ENDINGS)}`;
}

export function writeHashtag(random: Random): string {
  return `#${random.pick(THINGS).replaceAll(" ", "")}`;
}

/** Posts of the account `unicode`, in many scripts. */
const UNICODE_TEXTS: readonly string[] = [
  "日本語のタイトルと絵文字 🎏🗻 と半角ｶﾅ",
  "مرحبا بالعالم: تجربة نص من اليمين إلى اليسار ١٢٣",
  "שלום עולם (עם סוגריים) and English mixed in",
  "Ça va? Zażółć gęślą jaźń, naïve façade, Ångström, ĿĦŦ",
  "หน้าต่างทดสอบภาษาไทยไม่มีช่องว่างระหว่างคำ",
  "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈🇺🇳 family, flag and skin tone sequences",
  "Z̸͍̊a̵͓͐l̷̙̈g̶̹̈́o̵̗͑ combining marks, and e\u0301 against é",
  "도전에 관한 예시 일곱 가지 #도전 #예시",
  "Привіт, світе! #приклад #топ #українською ",
  "नमस्ते दुनिया — संयुक्ताक्षर क्षत्रिय",
  "𝔄𝔫𝔠𝔦𝔢𝔫𝔱 𝕸𝖆𝖙𝖍 letters beyond the basic plane 𐍈𐎤",
  "Zero\u200bwidth\u200cjoiners\u200d and\u00a0hard\u202fspaces\u2028with a line separator",
];

/** Posts of the account `hostile-text`, which break careless parsers and pages. */
const HOSTILE_TEXTS: readonly string[] = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  "NUL in the middle: [\u0000] and a bell [\u0007]",
  "a lone surrogate: [\ud83d] at work",
  "\u202egnp.exe reversed by a control character\u202c",
  "'; DROP TABLE posts; -- \\ \" {{7*7}} <%= 7*7 %> %s %n",
  "https://example.test/?a=1&b=<2>#x javascript:alert(3)",
  "   \t\r\n   ",
  '=HYPERLINK("https://example.test","click")',
];

/** The display name of the account `unicode`. */
export const UNICODE_NAME = "Ünïcødé 統一碼 🦜 שלום";

/** The text of a post, by its slot, of an account with fixed posts; null for other accounts. */
export function specialText(texts: string | undefined, slot: number): string | null {
  const list = texts === "unicode" ? UNICODE_TEXTS : texts === "hostile" ? HOSTILE_TEXTS : null;
  return list && (list[Math.abs(slot) % list.length] ?? "");
}
