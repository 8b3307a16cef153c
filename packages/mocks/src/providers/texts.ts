import { specialText } from "@social-connect/provider-fixtures";
import type { Random } from "../util/random.ts";
import type { Account } from "./accounts.ts";

const THINGS = "harbour, oven, night train, paper boat, linen, tide, swallow, workbench, hill, lantern".split(", ");
const DOINGS = "Repairing, Finding, A morning with, Notes on, How we found, Drawing, Listening to, Before".split(", ");
const ENDINGS = "in the rain, after dark, on paper, for beginners, once more, on a Sunday, from above, at last".split(
  ", ",
);

/** The title and text of a post; an account with a fixed list of strings uses them in turn. */
export function writePost(
  account: Account,
  random: Random,
  slot: number,
): { readonly title: string; readonly text: string } {
  const special = specialText(account.script.texts, slot);
  if (special !== null) return { title: special, text: special };
  const title = `${random.pick(DOINGS)} the ${random.pick(THINGS)} ${random.pick(ENDINGS)}`;
  return { title, text: `${title}. Part ${random.int(1, 90)}.\n\n#${random.pick(THINGS).replaceAll(" ", "")}` };
}
