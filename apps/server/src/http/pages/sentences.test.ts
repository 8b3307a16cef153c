/** A page of Connect says everything once: no sentence twice, and the first paragraph more than the title. */
import { CAPABILITIES, type Capability } from "@social-connect/contract";
import { type ErrorName, LANGUAGES, type Language, TEXTS } from "@social-connect/domain";
import { type Context, Hono } from "hono";
import { expect, test } from "vitest";
import { answerConsentPane } from "./consentPane.ts";
import { answerDeletionStatus } from "./deletionStatus.ts";
import { answerError } from "./errorPage.ts";

const NOW = new Date("2026-11-30T10:00:00Z");
const BRAND = {
  displayName: "Atelier",
  home: "https://shop.example",
  logo: null,
  brandColor: null,
  supportAddress: "mailto:help@shop.example",
  privacyUrl: "https://shop.example/privacy",
};
const HOST = "connect.example.com";
const DELETION = { requestedAt: NOW, erasedAt: null, connections: 0, remaining: 0, posts: 0, appMayRemain: false };

type Show = (context: Context, language: Language) => Promise<Response>;

const pane =
  (capabilities: readonly Capability[], offersOtherAccount: boolean, minutes: number): Show =>
  (context, language) =>
    answerConsentPane(context, {
      locale: { language, tag: language },
      serviceHost: HOST,
      brand: BRAND,
      pane: {
        provider: "PROVIDER_B",
        providerHost: "www.tiktok.com",
        capabilities,
        offersOtherAccount,
        isPlainHttp: false,
        expiresAt: new Date(NOW.getTime() + minutes * 60_000),
        now: NOW,
      },
      action: { path: "/", field: "attempt", attemptId: "1", leaveField: "leave", otherField: "other" },
    });

const error =
  (name: ErrorName, brand: typeof BRAND | null): Show =>
  (context, language) =>
    answerError(context, name, {
      locale: { language, tag: language },
      serviceHost: HOST,
      brand,
      values: { origin: "https://other.example" },
    });

const deletion =
  (status: Parameters<typeof answerDeletionStatus>[2]): Show =>
  (context) =>
    answerDeletionStatus(context, { connectHost: `https://${HOST}` }, status);

const PAGES: Readonly<Record<string, Show>> = {
  ...Object.fromEntries(
    (Object.keys(TEXTS.en.errors) as ErrorName[]).flatMap((name) => [
      [name, error(name, BRAND)],
      [`${name} without an application`, error(name, null)],
    ]),
  ),
  "the consent pane": pane(CAPABILITIES, true, 10),
  "the consent pane for a profile, in the last minute": pane(["PROFILE"], false, 1),
  "a deletion of nothing": deletion({ ...DELETION, state: "NOTHING_HELD" }),
  "a deletion in progress": deletion({ ...DELETION, state: "IN_PROGRESS", connections: 2, remaining: 1, posts: 1 }),
  "a deletion that is done": deletion({
    ...DELETION,
    state: "ERASED",
    erasedAt: NOW,
    connections: 1,
    posts: 20,
    appMayRemain: true,
  }),
  "an unknown deletion": deletion(null),
};

async function read(show: Show, language: Language) {
  const app = new Hono().get("/", (context) => show(context, language));
  const page = await (await app.request("/", { headers: { "accept-language": language } })).text();
  expect(page).toContain(`<html lang="${language}"`);
  const [, title = ""] = /<h1>(.*?)<\/h1>/s.exec(page) ?? [];
  const [, first = ""] = /<\/h1>\s*<p>(.*?)<\/p>/s.exec(page) ?? [];
  const texts = page
    .slice(page.indexOf("<main>"))
    .split(/<[^>]*>/)
    .map((text) => text.trim());
  return { title, first, texts: texts.filter((text) => text !== "") };
}

function sentencesIn(text: string, language: Language): readonly string[] {
  const parts = [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)];
  return parts.map(({ segment }) =>
    segment
      .toLocaleLowerCase(language)
      .replace(/[\p{P}\s]+/gu, " ")
      .trim(),
  );
}

/** The beginnings of the words with five letters or more; in Japanese, pairs of kanji and katakana. */
function stemsIn(text: string, language: Language): ReadonlySet<string> {
  const lower = text.toLocaleLowerCase(language);
  if (language !== "ja") return new Set((lower.match(/[\p{L}]{5,}/gu) ?? []).map((word) => word.slice(0, 5)));
  const runs = lower.match(/[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu) ?? [];
  return new Set(runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))));
}

/** The part of the title's words that a sentence has too. */
function overlap(title: string, sentence: string, language: Language): number {
  const [words, said] = [stemsIn(title, language), stemsIn(sentence, language)];
  return words.size === 0 ? 0 : [...words].filter((word) => said.has(word)).length / words.size;
}

test.each(LANGUAGES)("no page says anything twice in %s", async (language) => {
  const found: string[] = [];
  for (const [name, show] of Object.entries(PAGES)) {
    const { title, first, texts } = await read(show, language);
    const sentences = texts.flatMap((text) => sentencesIn(text, language));
    for (const sentence of new Set(sentences)) {
      if (sentences.filter((one) => one === sentence).length > 1) found.push(`${name}: “${sentence}” is there twice`);
    }
    for (const sentence of sentencesIn(first, language)) {
      if (overlap(title, sentence, language) > 0.5) found.push(`${name}: “${title}” is said again by “${sentence}”`);
    }
  }
  expect(found).toEqual([]);
});

test("notices a sentence that is there twice, and a title that is said again", async () => {
  const sentences = sentencesIn("Es wurde nichts verknüpft. Bitte warten. Es wurde nichts verknüpft!", "de");
  expect(new Set(sentences).size).toBe(2);
  expect(overlap("Die Zeit ist abgelaufen", "Die Zeit zum Verknüpfen ist abgelaufen", "de")).toBe(1);
  expect(overlap("有効期限が切れました", "アカウント連携の有効期限が切れたため", "ja")).toBe(1);
  expect(overlap("Seite nicht gefunden", "Vielleicht wurde die Adresse falsch abgeschrieben", "de")).toBe(0);
});
