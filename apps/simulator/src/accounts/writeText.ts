import { type PostForm, type Random, specialText, writeHashtag, writeTitle } from "@social-connect/provider-fixtures";
import type { Account } from "./account.ts";
import { ACCOUNT_TRAITS, type AccountTraits, VIDEO_TEXT_MAX } from "./traits.ts";

interface Written {
  readonly title: string;
  readonly text: string;
}

/** Title and text of a post. One post in nine has the provider's maximum length. */
export function writeText(account: Account, random: Random, slot: number, form: PostForm): Written {
  const special = specialText(account.script.texts, slot);
  if (special !== null) return { title: special, text: `${special}\n${special}` };
  if (account.script.texts === "named") {
    const title = `${account.name} ${slot}`;
    return { title, text: `${title}: written by ${account.handle}` };
  }
  const { longestTitle, longestText, writing } = ACCOUNT_TRAITS[account.provider];
  const sentences = Array.from({ length: random.chance(1 / 9) ? 200 : random.int(1, 6) }, () => writeTitle(random));
  const ordinary = { title: writeTitle(random), text: `${sentences.join(".\n\n")}.\n\n${writeHashtag(random)}` };
  const { title, text } = WRITERS[writing](ordinary, form, random);
  return { title: clip(title, longestTitle), text: clip(text, longestText) };
}

const WRITERS: Record<AccountTraits["writing"], (written: Written, form: PostForm, random: Random) => Written> = {
  titleAndDescription: ({ title, text }, form) => ({
    title: form === "short" ? `${title} #shorts` : form === "live" ? `LIVE: ${title}` : title,
    text,
  }),
  oneLine: (written, _form, random) => {
    const text = clip(`${written.title} ${written.text.replaceAll("\n\n", " ")}`, VIDEO_TEXT_MAX);
    // Some titles end with a space, as in recorded responses.
    return { title: `${text}${random.chance(0.2) ? " " : ""}`, text };
  },
  caption: ({ title, text }) => ({ title, text: `${title}\n${text}` }),
};

/** Truncates without splitting a surrogate pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
