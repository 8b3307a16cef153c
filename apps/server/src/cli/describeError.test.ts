import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, useFolderPerTest } from "../platform/testing/folderPerTest.ts";
import { describeError } from "./describeError.ts";

useFolderPerTest();

function failureOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not fail");
}

test("the message of a failure with a file names the file and the reason", () => {
  const file = join(folder, "file");
  const missing = failureOf(() => readFileSync(file));
  expect(describeError(missing)).toBe(`${file} or its folder does not exist`);
  writeFileSync(file, "");
  const taken = failureOf(() => writeFileSync(file, "", { flag: "wx" }));
  expect(describeError(taken)).toBe(`${file} exists already; choose another name`);
  expect(describeError(failureOf(() => writeFileSync(folder, "")))).toBe(`${folder} is a folder`);
});

test("an error of the database has its state, and a remedy if there is one", () => {
  const fault = (code: string) => Object.assign(new Error("no"), { code, severity: "ERROR" });
  expect(describeError(fault("53100"))).toBe(
    "the database reports an error (53100): no. Its disk is full. Free space, then try again.",
  );
  expect(describeError(fault("22000"))).toBe("the database reports an error (22000): no");
});

test("the failure of a connection is named, with the command that finds its setting", () => {
  const lost = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  expect(describeError(lost)).toBe(
    "connect ECONNREFUSED 127.0.0.1:5432: nothing listens there. Run `social-connect doctor`, which checks each address of the settings.",
  );
  // Node gives an error of several addresses no message.
  const several = Object.assign(new AggregateError([lost]), { code: "ECONNREFUSED" });
  expect(describeError(several)).toMatch(/^ECONNREFUSED: nothing listens there\. Run `social-connect doctor`/);
});

test("a transaction that took too long is named as such", () => {
  const late = Object.assign(new Error("Transaction API error: A query cannot be executed"), { code: "P2028" });
  expect(describeError(late)).toBe("the database took too long, which happens while the machine is busy; try again");
});

test("of an error of Prisma only the reason is shown", () => {
  const message =
    "\nInvalid `prisma.job.findMany()` invocation in\n/srv/x.ts:1:1\n\n\nServer has closed the connection.";
  expect(describeError(new Error(message))).toBe("Server has closed the connection.");
  expect(describeError(new Error("two\nlines"))).toBe("two\nlines");
});
