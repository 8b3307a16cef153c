import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endedBy } from "../../modules/imports/importRow.ts";
import type { ReportedLine } from "../../modules/imports/runImport.ts";
import { folder, useFolderPerTest } from "../../platform/testing/folderPerTest.ts";
import { showProgress } from "./importProgress.ts";
import { openReport } from "./importReport.ts";

useFolderPerTest();

const NOBODY = { client: null, provider: null, tenantKey: null, externalSubjectId: null, problem: null };
const lineOf = (line: number): ReportedLine => ({ ...NOBODY, line, ...endedBy("INVALID_LINE") });

async function write(path: string, replaces: boolean, count = 1): Promise<void> {
  const report = await openReport(path, { replaces });
  for (let line = 1; line <= count; line += 1) await report.write(lineOf(line));
  await report.close();
}

test("a report is a new file that only its owner may read, with one line for each", async () => {
  const path = join(folder, "report.ndjson");
  await write(path, false, 3);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([lineOf(1), lineOf(2), lineOf(3)]);
  await expect(write(path, false)).rejects.toMatchObject({ code: "EEXIST" });
});

test("a report replaces a file, and follows no symbolic link", async () => {
  const [path, link, target] = [join(folder, "report"), join(folder, "link"), join(folder, "target")];
  await writeFile(path, "an earlier report\n".repeat(100), { mode: 0o644 });
  await write(path, true);
  expect(JSON.parse(await readFile(path, "utf8"))).toEqual(lineOf(1));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(target, "kept");
  await symlink(target, link);
  await expect(write(link, true)).rejects.toMatchObject({ code: "ELOOP" });
  await expect(write(link, false)).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(target, "utf8")).toBe("kept");
  await mkdir(join(folder, "folder"));
  await expect(write(join(folder, "folder"), true)).rejects.toThrow();
  await expect(write("/dev/null", true)).rejects.toThrow("/dev/null is not a file");
});

function watchProgress(isTTY: boolean, bytes: number | null) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const progress = showProgress({ isTTY, write }, bytes);
  return { written, progress };
}

test("progress is a bar on a terminal, and otherwise a line for each 1,000", () => {
  const { written, progress } = watchProgress(true, 200);
  progress.line({ line: 1, status: "CONNECTED" }, 50);
  expect(written).toEqual([expect.stringMatching(/^\r.*\[#{6}-{18}\] 25 % 1 lines: 1 connected, 0 already/)]);
  progress.end();
  expect(written[1]).toBe("\r\u001B[K");
  const plain = watchProgress(false, null);
  for (let line = 1; line <= 2_000; line += 1) plain.progress.line({ line, status: "REFUSED" }, line);
  plain.progress.end();
  expect(plain.written.map((text) => text.split(":")[0])).toEqual(["1000 lines", "2000 lines"]);
});
