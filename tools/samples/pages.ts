import { listMarkdown, readText } from "../snippets.ts";
import { type Sample, samplesOf } from "./samples.ts";

/** Pages whose samples define every name. */
export const COMPLETE: readonly string[] = ["README.md", "packages/sdk/README.md", "llms.txt"];

/** Generated from the code, whose tests check the examples. */
const GENERATED = /^docs\/reference\/(?:graphql|packages)\//;

/** The samples of every page that git tracks. */
export function listSamples(): readonly Sample[] {
  const pages = [...listMarkdown(), "llms.txt"].filter((page) => !GENERATED.test(page));
  return pages.flatMap((page) => samplesOf(page, readText(page)));
}
