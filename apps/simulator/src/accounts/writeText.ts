import { type PostForm, specialText } from "@social-connect/provider-fixtures";
import type { SeededRandom } from "../shared/random.ts";
import type { Account } from "./account.ts";
import { THEMES, type Theme } from "./themes.ts";
import { ACCOUNT_TRAITS, type AccountTraits, VIDEO_TEXT_MAX } from "./traits.ts";

interface Written {
  readonly title: string;
  readonly text: string;
}

/** Title and text of a post. One post in nine has the provider's maximum length. */
export function writeText(account: Account, random: SeededRandom, slot: number, form: PostForm): Written {
  const special = specialText(account.script.texts, slot);
  if (special !== null) return { title: special, text: `${special}\n${special}` };
  if (account.script.texts === "named") {
    const title = `${account.name} ${slot}`;
    return { title, text: `${title}: written by ${account.handle}` };
  }
  const theme = THEMES[account.theme];
  if (theme === undefined) throw new Error(`Unknown theme: ${account.theme}`);
  const traits = ACCOUNT_TRAITS[account.provider];
  const tags = pickSome(theme.tags, random, form === "short" ? 4 : traits.tagCount);
  const title = capitalise(fill(random.pick(theme.titles), theme, random));
  const long = random.chance(1 / 9);
  const { title: longTitle, text } = WRITERS[traits.writing](title, form, { theme, random, tags, long });
  return { title: clip(longTitle, traits.longestTitle), text: clip(text, traits.longestText) };
}

interface Material {
  readonly theme: Theme;
  readonly random: SeededRandom;
  readonly tags: readonly string[];
  readonly long: boolean;
}

const WRITERS: Record<AccountTraits["writing"], (title: string, form: PostForm, material: Material) => Written> = {
  titleAndDescription: (title, form, { theme, random, tags, long }) => ({
    title: form === "short" ? `${title} #shorts` : form === "live" ? `LIVE: ${title}` : title,
    text: description(theme, random, tags, long),
  }),
  oneLine: (title, _form, { theme, random, tags }) => {
    // Some titles end with a space, as in recorded responses.
    const trail = random.chance(0.2) ? " " : "";
    const text = clip(
      `${title} ${fill(random.pick(theme.sentences), theme, random)} ${tags.join(" ")}`,
      VIDEO_TEXT_MAX,
    );
    return { title: `${text}${trail}`, text };
  },
  caption: (title, _form, { theme, random, tags, long }) => ({
    title,
    text: `${title}\n${description(theme, random, tags, long)}`,
  }),
};

function description(theme: Theme, random: SeededRandom, tags: readonly string[], long: boolean): string {
  const paragraphs = long ? 40 : random.int(1, 3);
  const body = Array.from({ length: paragraphs }, () =>
    Array.from({ length: random.int(1, 3) }, () => fill(random.pick(theme.sentences), theme, random)).join(" "),
  );
  return `${body.join("\n\n")}\n\n${tags.join(" ")}`;
}

function fill(template: string, theme: Theme, random: SeededRandom): string {
  return template
    .replace("{subject}", () => random.pick(theme.subjects))
    .replace("{place}", () => random.pick(theme.places));
}

function capitalise(text: string): string {
  return text.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/** Truncates without splitting a surrogate pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function pickSome(list: readonly string[], random: SeededRandom, count: number): string[] {
  const start = random.int(0, list.length - 1);
  return Array.from({ length: Math.min(count, list.length) }, (_, index) => list[(start + index) % list.length] ?? "");
}
