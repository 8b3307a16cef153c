import { expect, test } from "vitest";
import { validationMessage } from "./validationMessage.ts";

test("a validation message has no suggestions", () => {
  expect(validationMessage('Cannot query field "statu". Did you mean "status"?')).toBe('Cannot query field "statu".');
  expect(validationMessage("Nothing to remove.")).toBe("Nothing to remove.");
});

test.each(["a", "\u0000", "\ud800", "\u{1F600}", '"'])(
  "a validation message that quotes 60,000 times %j is bounded",
  (piece) => {
    const message = validationMessage(`Cannot query field "${piece.repeat(60_000)}" on type "Query".`);
    expect(message).toMatch(/^Cannot query field ".*….*" on type "Query"\.$/s);
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(1_850);
  },
);

test("a validation message at the bound stays whole", () => {
  expect(validationMessage("a".repeat(300))).toBe("a".repeat(300));
  expect(validationMessage("a".repeat(301))).toHaveLength(299);
});
