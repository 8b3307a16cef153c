import type { BundleSize } from "./bundleSizes.ts";
import type { ReportFile } from "./reportFile.ts";

export const SIZES_PATH = "docs/reference/packages/sizes.md";
/** A new compiler or compressor moves a number a little; only what a reader would notice has to be written down anew. */
const NOTICEABLE = 0.02;

const HEAD = [
  "# How much of a bundle",
  "",
  "<!-- Made by `pnpm reports` from the build. Not to be edited. -->",
  "",
  "What an import adds to a consumer's bundle: minified, with every dependency in it unless it is said to be brought",
  "along. A change that goes above the budget fails.",
  "",
  "| Package | Imported | Minified | Gzip | Brotli | Budget (gzip) |",
  "| --- | --- | ---: | ---: | ---: | ---: |",
];

export function sizesReport(sizes: readonly BundleSize[]): ReportFile {
  const rows = sizes.map(({ package: name, what, minifiedBytes, gzipBytes, brotliBytes, mostGzipBytes }) => {
    const numbers = [minifiedBytes, gzipBytes, brotliBytes, mostGzipBytes].map(inKilobytes);
    return `| \`${name}\` | ${what} | ${numbers.join(" | ")} |`;
  });
  return { path: SIZES_PATH, text: `${[...HEAD, ...rows].join("\n")}\n` };
}

/** Bundles that are larger than they may be, in words. */
export function overBudget(sizes: readonly BundleSize[]): readonly string[] {
  return sizes
    .filter(({ gzipBytes, mostGzipBytes }) => gzipBytes > mostGzipBytes)
    .map(
      ({ package: name, what, gzipBytes, mostGzipBytes }) =>
        `${name} (${what}) is ${inKilobytes(gzipBytes)} in a bundle and may be ${inKilobytes(mostGzipBytes)}`,
    );
}

/** Whether a committed report still says what is measured: the same rows, and every number near enough. */
export function isStillTrue(committed: string, measured: string): boolean {
  const [kept, wanted] = [numbersOf(committed), numbersOf(measured)];
  const isSameText = committed.replaceAll(NUMBER, "") === measured.replaceAll(NUMBER, "");
  return isSameText && kept.every((value, index) => Math.abs(value - (wanted[index] ?? 0)) <= value * NOTICEABLE + 0.1);
}

const NUMBER = /\d+\.\d(?= kB)/g;

function numbersOf(text: string): readonly number[] {
  return [...text.matchAll(NUMBER)].map(([number]) => Number(number));
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
