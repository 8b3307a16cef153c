import type { Random } from "../util/random.ts";
import type { Account } from "./accounts.ts";

const THINGS = [
  "harbour",
  "oven",
  "night train",
  "paper boat",
  "linen",
  "tide",
  "swallow",
  "workbench",
  "hill",
  "lantern",
];
const DOINGS = [
  "Mending",
  "Looking for",
  "A morning with",
  "Notes on",
  "How we found",
  "Drawing",
  "Listening to",
  "Before",
];
const ENDINGS = [
  "in the rain",
  "after dark",
  "by hand",
  "for beginners",
  "once more",
  "on a Sunday",
  "from above",
  "at last",
];

const UNICODE_TEXTS = [
  "日本語のタイトルと絵文字 🎏🗻 と半角ｶﾅ",
  "مرحبا بالعالم: تجربة نص من اليمين إلى اليسار ١٢٣",
  "שלום עולם (עם סוגריים) and English mixed in",
  "Ça va? Zażółć gęślą jaźń, naïve façade, Ångström",
  "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈 family, flag and skin tone sequences",
  "𝔄𝔫𝔠𝔦𝔢𝔫𝔱 letters beyond the basic plane 𐍈𐎤",
  "Zero\u200bwidth\u200cjoiners\u200d and\u00a0hard spaces\u2028with a line separator",
];

const HOSTILE_TEXTS = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  "NUL in the middle: [\u0000] and a bell [\u0007]",
  "a lone surrogate: [\ud83d] at work",
  "\u202egnp.exe reversed by a control character\u202c",
  "'; DROP TABLE posts; -- \\ \" {{7*7}} <%= 7*7 %> %s %n",
  "   \t\r\n   ",
];

/** The title and text of a post; an account with a fixed list of strings uses them in turn. */
export function writePost(
  account: Account,
  random: Random,
  slot: number,
): { readonly title: string; readonly text: string } {
  const odd =
    account.script.texts === "unicode" ? UNICODE_TEXTS : account.script.texts === "hostile" ? HOSTILE_TEXTS : null;
  if (odd !== null) {
    const text = odd[((slot % odd.length) + odd.length) % odd.length] ?? "";
    return { title: text, text };
  }
  const title = `${random.pick(DOINGS)} the ${random.pick(THINGS)} ${random.pick(ENDINGS)}`;
  return { title, text: `${title}. Part ${random.int(1, 90)}.\n\n#${random.pick(THINGS).replaceAll(" ", "")}` };
}
