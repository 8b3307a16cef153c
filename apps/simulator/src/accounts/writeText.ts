import { type Random, specialText, writeHashtag, writeTitle } from "@social-connect/provider-fixtures";
import type { Account } from "./account.ts";
import { ACCOUNT_TRAITS } from "./traits.ts";

/** Title and text of a post. One post in nine has the provider's maximum length. */
export function writeText(account: Account, random: Random, slot: number) {
  const special = specialText(account.script.texts, slot);
  if (special !== null) return { title: special, text: `${special}\n${special}` };
  if (account.script.texts === "named") {
    const title = `${account.name} ${slot}`;
    return { title, text: `${title}: written by ${account.handle}` };
  }
  const { longestText, titlesMayEndWithSpace } = ACCOUNT_TRAITS[account.provider];
  const sentences = Array.from({ length: random.chance(1 / 9) ? 200 : random.int(1, 6) }, () => writeTitle(random));
  const [title, end] = [writeTitle(random), writeHashtag(random)];
  const text = `${title}.\n${sentences.join(".\n\n")}.\n\n${end}`;
  const trail = titlesMayEndWithSpace && random.chance(0.2) ? " " : "";
  return { title: `${title}${trail}`, text: clip(text, longestText) };
}

/** Truncates without splitting a surrogate pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
