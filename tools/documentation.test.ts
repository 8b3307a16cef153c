import { existsSync, globSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  ADMIN_ERROR_CODES,
  ADMIN_FORBIDDEN_REASONS,
  CONFLICT_REASONS,
  CONNECT_RESULT_CODES,
  ERROR_CODES,
  JOB_ERROR_CODES,
  OBSERVATION_REASONS,
  PAGE_INCOMPLETE_REASONS,
} from "../packages/contract/src/index.ts";
import { repositoryOf } from "./packages/publishedPackages.ts";
import { pathInRepository } from "./packages/readmeLinks.ts";
import { fillSnippets, findStale, listMarkdown, readText, regionOf, tableRows } from "./snippets.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const REPOSITORY = repositoryOf(ROOT);
const MOST_IMAGE_BYTES = 300_000;
const FOLDERS = [
  ...["tutorials", "how-to", "reference", "reference/errors", "reference/graphql", "reference/packages", "explanation"],
  ...["operations", "operations/runbooks", "security", "contributing"],
].map((name) => `docs/${name}`);
const STATUS = /^# .+\n\nStatus: (?:accepted|superseded) · Decided: \d{4}-\d{2}-\d{2}\n/;

describe("snippets", () => {
  test("match their sources", () => {
    expect(findStale().map(({ path }) => path)).toEqual([]);
    // The control: the README has snippets.
    expect(listMarkdown().filter((path) => readText(path).includes("<!-- snippet: "))).toContain("README.md");
  });

  test("lose their common indentation, and a missing region is an error", () => {
    const source = "a\n    // #region one\n    if (x) {\n\n      y();\n    }\n    // #endregion one\n";
    expect(regionOf(source, "one")).toBe("if (x) {\n\n  y();\n}");
    expect(() => regionOf(source, "two")).toThrow("missing or empty region two");
  });

  test("replace the old text completely", () => {
    const markdown = "before\n<!-- snippet: a/b.ts#one -->\nold\n<!-- /snippet -->\nafter";
    const filled = fillSnippets(markdown, (path) => `// #region one\n${path}\n// #endregion one`);
    expect(filled).toBe("before\n<!-- snippet: a/b.ts#one -->\n```ts\na/b.ts\n```\n<!-- /snippet -->\nafter");
    expect(fillSnippets(filled, () => "// #region one\na/b.ts\n// #endregion one")).toBe(filled);
  });
});

test("every error code of either API has a page with cause and resolution, and no other page exists", () => {
  const codes = [...new Set([...ERROR_CODES, ...ADMIN_ERROR_CODES])];
  const pages = readdirSync(join(ROOT, "docs/reference/errors")).filter((name) => name !== "README.md");
  expect(pages.toSorted()).toEqual(codes.map((code) => `${code}.md`).toSorted());
  for (const code of codes) {
    const page = readText(`docs/reference/errors/${code}.md`);
    expect(page).toMatch(new RegExp(`^# ${code}\\n`));
    expect(page).toContain("\n## Cause\n");
    expect(page).toContain("\n## Resolution\n");
    expect(readText("docs/reference/errors/README.md")).toContain(`[${code}](${code}.md)`);
  }
});

test("the table of the SDKs' own codes has exactly one row per code", () => {
  const sources = [
    "sdk-core/src/errors.ts",
    "sdk-core/src/response.ts",
    "sdk/src/events/eventError.ts",
    "admin-sdk/src/declaration/declarationError.ts",
  ];
  const text = [...sources, "admin-sdk/src/plan/planErrors.ts"].map((path) => readText(`packages/${path}`)).join("\n");
  const own = [...text.matchAll(/"([A-Z]+_[A-Z_]+|REDIRECTED|MISCONFIGURED)"/g)].map(([, code = ""]) => code);
  const others: readonly string[] = ERROR_CODES;
  const codes = [...new Set(own)].filter((code) => !others.includes(code));
  expect(firstColumn("docs/reference/errors/README.md", "Codes of the SDKs").toSorted()).toEqual(codes.toSorted());
});

test.each([
  ["CONFLICT", "Cause", CONFLICT_REASONS],
  ["FORBIDDEN", "On the admin API", [...ADMIN_FORBIDDEN_REASONS, "none"]],
])("the page of %s has exactly one row per reason on the admin API", (code, title, reasons) => {
  expect(firstColumn(`docs/reference/errors/${code}.md`, title).toSorted()).toEqual([...reasons].toSorted());
});

test.each(ADMIN_ERROR_CODES.filter((code) => ERROR_CODES.some((other) => other === code)))(
  "the page of %s has a section for the admin API",
  (code) => {
    expect(readText(`docs/reference/errors/${code}.md`)).toContain("\n## On the admin API\n");
  },
);

test.each([
  ["Result codes of a connect attempt", CONNECT_RESULT_CODES],
  ["Codes of a failed job", JOB_ERROR_CODES],
  ["Why a page may be incomplete", PAGE_INCOMPLETE_REASONS],
  ["Why a post, metric or capability is not available", OBSERVATION_REASONS],
])("the table of %s has exactly one row per value of the contract", (title, values) => {
  expect(firstColumn("docs/reference/codes-and-limits.md", title).toSorted()).toEqual([...values].toSorted());
});

/** Source text in one line, with the parts of a message that is written over several. */
const SOURCE = globSync(["apps/{server,panel}/src/**/*.{ts,tsx}", "packages/domain/src/**/*.ts"], { cwd: ROOT })
  .filter((path) => !path.includes(".test.") && !path.includes("_generated"))
  .map((path) => readText(path))
  .join("\n")
  .replace(/["'`]\s*\+\s*["'`]/g, "")
  .replace(/\s+/g, " ");

test("every message that a page for operators quotes is in the source, apart from what varies (…)", () => {
  const pages = listMarkdown().filter((path) => path.startsWith("docs/operations/"));
  const quoted = pages.flatMap((path) => {
    const prose = readText(path).replace(/```.*?```/gs, "");
    // In code, a quotation mark belongs to the code.
    const quotes = prose.replace(/`[^`\n]*`|^ {4}.*$/gm, "").matchAll(/"([A-Za-z][^"]{0,200})"/g);
    return [...prose.matchAll(/"msg":"([^"]+)"/g), ...quotes].map(([, text = ""]) => [path, text.replace(/\s+/g, " ")]);
  });
  const messages = quoted.filter(([, text = ""]) => text.split(" ").length > 2);
  expect(messages.length).toBeGreaterThan(10);
  const isWritten = (text: string) => text.split(/…|<[^>]*>/).every((part) => SOURCE.includes(part.trim()));
  expect(messages.filter(([, text = ""]) => !isWritten(text))).toEqual([]);
});

test("every link inside the repository resolves to a file and heading", () => {
  const broken = listMarkdown().flatMap((path) =>
    linksOf(readText(path)).flatMap((link) => {
      const [file = "", anchor] = link.split("#");
      const inRepository = pathInRepository(file, REPOSITORY);
      const target = file === "" ? path : (inRepository ?? normalize(join(dirname(path), file)));
      if (!existsSync(join(ROOT, target))) return [`${path} → ${link}`];
      return anchor === undefined || anchorsOf(readText(target)).includes(anchor) ? [] : [`${path} → ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every picture is used and small enough for a page", () => {
  const images = readdirSync(join(ROOT, "docs/images"));
  const shown = new Set(listMarkdown().flatMap((path) => linksOf(readText(path)).map((link) => basename(link))));
  expect(images.filter((name) => !shown.has(name))).toEqual([]);
  expect(images.filter((name) => statSync(join(ROOT, "docs/images", name)).size > MOST_IMAGE_BYTES)).toEqual([]);
});

test("every page is listed on the index of its folder", () => {
  for (const folder of FOLDERS) {
    const listed = linksOf(readText(`${folder}/README.md`));
    const pages = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md") && name !== "README.md");
    expect(
      pages.filter((page) => !listed.includes(page)),
      folder,
    ).toEqual([]);
  }
});

test("every decision has a status and a date", () => {
  const folder = "docs/explanation";
  const pages = readdirSync(join(ROOT, folder)).filter((name) => name !== "README.md");
  const undated = pages.filter((page) => !STATUS.test(readText(`${folder}/${page}`)));
  expect(undated).toEqual([]);
  // The control: the index is not a decision.
  expect(readText(`${folder}/README.md`)).not.toMatch(STATUS);
});

/** Pages and files that operators copy from. */
const COPIED = [
  ...listMarkdown().filter((path) => /^(?:docs\/(?:operations|how-to|tutorials)|deploy)\//.test(path)),
  ...readdirSync(join(ROOT, "deploy"), { recursive: true, encoding: "utf8" }).map((path) => `deploy/${path}`),
].filter((path) => statSync(join(ROOT, path)).isFile() && !path.includes("/packages/"));

test("every database URL with a host of an example verifies its certificate, as live mode demands", () => {
  const urls = COPIED.flatMap((path) => [
    ...readText(path).matchAll(/postgres(?:ql)?:\/\/[^\s'"`]*@[^\s'"`]*example\.com[^\s'"`]*/g),
  ]);
  expect(urls.map(([url]) => url).filter((url) => !/[?&]sslmode=verify-full\b/.test(url))).toEqual([]);
  // The control.
  expect(urls.length).toBeGreaterThan(3);
});

test("no page edits a file by a pattern, which changes nothing without a message where it does not match", () => {
  const edits = COPIED.filter((path) => /^\s*(?:sed|awk|perl)\b|[|;&`]\s*(?:sed|perl) -/m.test(readText(path)));
  expect(edits).toEqual([]);
});

function isOwn(address: string): boolean {
  return pathInRepository(address, REPOSITORY) !== undefined;
}

/** Links in the text to files of this repository, without code. */
function linksOf(markdown: string): string[] {
  const text = markdown.replaceAll(/```.*?```/gs, "").replaceAll(/`[^`\n]*`/g, "`");
  const written = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)];
  return written.map(([, address]) => address ?? "").filter((address) => !/^[a-z]+:/.test(address) || isOwn(address));
}

function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading ?? "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

/** The codes in the first column of the table below a heading. */
function firstColumn(path: string, heading: string): string[] {
  const section = readText(path).split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return tableRows(section).map(([cell]) => (cell ?? "").replaceAll("`", ""));
}
