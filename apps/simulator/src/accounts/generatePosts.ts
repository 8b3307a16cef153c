import {
  formOf,
  generatePosts as generate,
  type PostForm,
  type PostSlot,
  type Timeline as PostTimeline,
  popularityOf,
  specialCases,
} from "@social-connect/provider-fixtures";
import { fixturesOf } from "../shared/providerKeys.ts";
import { type SeededRandom, seededRandom } from "../shared/random.ts";
import type { Account, Post } from "./account.ts";
import { shortcodeFor } from "./ids.ts";
import { ACCOUNT_TRAITS } from "./traits.ts";
import { writeText } from "./writeText.ts";

export interface Timeline extends PostTimeline {
  readonly seed: string;
}

export function generatePosts(account: Account, timeline: Timeline): Post[] {
  const randomOf = (...key: readonly (string | number)[]) =>
    seededRandom(timeline.seed, account.provider, account.name, ...key);
  return generate(account, timeline, randomOf, (slot) => makePost(account, slot));
}

function makePost(account: Account, slot: PostSlot<SeededRandom>): Post {
  const { name, script } = account;
  const { key, number, publishedAt, random } = slot;
  const traits = ACCOUNT_TRAITS[account.provider];
  const fixtures = fixturesOf(account.provider);
  const form = formOf({ ...fixtures, ...script }, random);
  const written = writeText(account, random, number, form);
  const { withoutText, ...special } = specialCases(slot, script, fixtures);
  return {
    id: traits.postId(name, key, publishedAt),
    shortcode: shortcodeFor(name, key),
    accountName: name,
    publishedAt,
    form,
    title: withoutText ? null : written.title,
    text: withoutText ? null : written.text,
    durationSeconds: durationOf(form, traits.hasBriefVideos, random),
    ...traits.size(form),
    ...special,
    sharesMissing: script.sharesMissing ?? false,
    metricsMissing: script.metricsMissing ?? false,
    popularity: popularityOf(account, slot, fixtures),
    childCount: form === "carousel" ? random.int(2, 8) : 0,
  };
}

function durationOf(form: PostForm, brief: boolean, random: SeededRandom): number {
  if (form === "live") return random.int(2_400, 22_000);
  if (form === "video" && !brief) return random.int(140, 2_900);
  return random.int(6, 95);
}
