import { type Random, specialText, writeHashtag, writeTitle } from "@social-connect/provider-fixtures";
import type { Account } from "./accounts.ts";

/** The title and text of a post; an account with a fixed list of strings uses them in turn. */
export function writePost({ script }: Account, random: Random, slot: number) {
  const special = specialText(script.texts, slot);
  if (special !== null) return { title: special, text: special };
  const title = writeTitle(random);
  return { title, text: `${title}. Part ${random.int(1, 90)}.\n\n${writeHashtag(random)}` };
}
