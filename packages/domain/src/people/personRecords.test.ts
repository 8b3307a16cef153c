import { expect, test } from "vitest";
import { checkPersonReason } from "./personRecords.ts";

test.each([
  ["ticket 1234", "user-42", null],
  ["asked by user-42", "user-42", "reason"],
  ["asked by USER-42", "User-42 ", "reason"],
  ["", "user-42", "reason"],
  ["ticket 1234", "", null],
  ["ticket 1234", "12", null],
])("a reason must not name the person: %s", (reason, externalSubjectId, field) => {
  expect(checkPersonReason({ reason, externalSubjectId })?.field ?? null).toBe(field);
});
