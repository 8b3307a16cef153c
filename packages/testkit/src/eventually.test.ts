import { expect, test } from "vitest";
import { eventually } from "./eventually.ts";

test("polls until the condition holds, and returns its value", async () => {
  let looks = 0;
  const third = await eventually(() => {
    looks += 1;
    if (looks < 3) throw new Error("not yet");
    return looks;
  });
  expect(third).toBe(3);
});

test("what never holds ends with its own reason", async () => {
  const never = async () => {
    throw new Error("never so");
  };
  await expect(eventually(never, 0)).rejects.toThrow("never so");
});
