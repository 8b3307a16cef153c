import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import type { DevFile as FileForPrograms } from "../../../../packages/testkit/src/harness/devFile.ts";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { type DevFile, devFilePath, type ReadDevFile, readDevFile } from "./devFile.ts";

useFolderPerTest();

const CONTENT: ReadDevFile = {
  consumer: {
    baseUrl: "http://127.0.0.1:4400",
    key: "key",
    slug: "demo-app",
    tenantKeys: ["acme"],
    returnUrl: "http://127.0.0.1:4403/return",
    identityReturnUrl: "http://127.0.0.1:4403/identity-return",
  },
  databaseUrl: "postgres://user:password@127.0.0.1:4404/social_connect",
  pid: process.pid,
};
/** Larger than any process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1;

test("the file has what programs that use the environment read", () => {
  expectTypeOf<DevFile>().toExtend<FileForPrograms>();
});

test("the file of a running environment is read", async () => {
  writeFileSync(devFilePath(folder), JSON.stringify({ ...CONTENT, clockUrl: null }));
  expect(await readDevFile(devFilePath(folder))).toEqual(CONTENT);
});

test("no file, and the file of a killed supervisor, mean that no environment runs", async () => {
  expect(await readDevFile(devFilePath(folder))).toBeNull();
  expect(await readDevFile(devFilePath(join(folder, "missing")))).toBeNull();
  writeFileSync(devFilePath(folder), JSON.stringify({ ...CONTENT, pid: NO_PROCESS }));
  expect(await readDevFile(devFilePath(folder))).toBe("ended");
  // Another process has its id.
  writeFileSync(devFilePath(folder), JSON.stringify(CONTENT));
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, startedAt: "earlier" }));
  expect(await readDevFile(devFilePath(folder))).toBe("ended");
});

test.each(["", '{"consumer":', "null", "[]", "{}", JSON.stringify({ ...CONTENT, databaseUrl: 1 })])(
  "the damaged file %j is named, with a remedy",
  async (text) => {
    const file = devFilePath(folder);
    writeFileSync(file, text);
    await expect(readDevFile(file)).rejects.toThrow(
      `${file} is invalid; restart \`social-connect dev\`, which writes it again`,
    );
  },
);
