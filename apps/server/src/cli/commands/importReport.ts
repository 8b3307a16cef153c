import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ReportedLine } from "../../modules/imports/runImport.ts";

/**
 * The report of an import, which only its owner may read. A new file, or with `replaces` that of an earlier run. Never follows a
 * symbolic link.
 */
export async function openReport(path: string, { replaces }: { readonly replaces: boolean }) {
  const file = await openFile(path, replaces);
  return {
    write: async (line: ReportedLine): Promise<void> => void (await file.write(`${JSON.stringify(line)}\n`)),
    close: async (): Promise<void> => {
      await file.sync();
      await file.close();
    },
  };
}

async function openFile(path: string, replaces: boolean): Promise<FileHandle> {
  if (!replaces) return open(path, "wx", 0o600);
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  if (!(await file.stat()).isFile()) {
    await file.close();
    throw new Error(`${path} is not a file`);
  }
  await file.chmod(0o600);
  await file.truncate();
  return file;
}
