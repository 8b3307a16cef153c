import { expect, it } from "vitest";
import { webAddress } from "./format.ts";

it.each(["javascript:alert(1)", "data:text/html,x", "not an address", null])("does not link %s", (address) => {
  expect(webAddress(address)).toBeUndefined();
});

it("links a web address", () => {
  expect(webAddress("https://videos.example/@slowtrains")).toBe("https://videos.example/@slowtrains");
});
