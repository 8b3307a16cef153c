import { expect, test } from "vitest";
import { parseForm } from "./htmlForm.ts";

test("a form is read as a browser would submit it", () => {
  const html = `<p>before</p><form method="post" action="/go?a=1&amp;b=2">
    <input type="hidden" name="request" value="r-&quot;1&quot;">
    <input type="checkbox" name="scope" value="one" checked> <input type="checkbox" name="scope" value="two">
    <input type="radio" name="account" value="first" checked><input type="radio" name="account" value="second">
    <button name="decision" value="allow">Allow</button></form>`;
  expect(parseForm(html)).toEqual({
    action: "/go?a=1&b=2",
    fields: [
      ["request", 'r-"1"'],
      ["scope", "one"],
      ["account", "first"],
    ],
  });
});

test("a page without a form gives none", () => {
  expect(parseForm("<h1>Too late</h1>")).toBeNull();
});
