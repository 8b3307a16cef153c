import { expect, test } from "vitest";
import { badUserInput } from "../decisions/refusal.ts";
import { explainReturnUrl, UNREGISTERED_RETURN_URL } from "./explainReturnUrl.ts";

const REGISTERED = ["https://shop.example/a-long-path-of-an-application", "http://localhost:3000/connected"];
const explain = (returnUrl: string, registered: readonly string[] = REGISTERED) =>
  explainReturnUrl(UNREGISTERED_RETURN_URL, { returnUrl, registered, remedy: "Register it." });

test.each([
  ["http://localhost:3000/connected/", "In the closest one, the path has no slash at the end."],
  ["http://127.0.0.1:3000/connected", "In the closest one, the host is localhost, not 127.0.0.1."],
  ["http://localhost:3001/connected", "In the closest one, the port is 3000, not 3001."],
  ["http://localhost/connected", "In the closest one, the port is 3000, not 80."],
  ["http://localhost:3000/return", "In the closest one, the path is /connected, not /return."],
  ["http://localhost:3000/Connected", "In the closest one, the path has other capital letters."],
  ["https://localhost:3000/connected", "In the closest one, the scheme is http, not https."],
  ["http://shop.example/a-long-path-of-an-application", "In the closest one, the scheme is https, not http."],
  ["http://localhost:3000/connected?from=app", "In the closest one, the query differs."],
  ["https://shop.example/a-long-path-of-another-one", "In the closest one, the path differs."],
  ["https://shop.example/other", "In the closest one, the path is /a-long-path-of-an-application."],
  ["https://shop.example/another/path/of/theirs", "In the closest one, the path is /a-long-path-of-an-application."],
  ["http://localhost.:3000/connected", "In the closest one, the host has no dot at the end."],
  ["http://[::1]:3000/connected", "In the closest one, the host is localhost, not [::1]."],
  ["http://me:secret@localhost:3000/connected", "In the closest one, there is no user name or password."],
  ["http://localhost:3000/connected\n", "In the closest one, there is no white space around it."],
  ["http://LocalHost:3000/connected", "In the closest one, the scheme and the host have no capital letters."],
  ["http://localhost:3001/", "In the closest one, the port is 3000, not 3001, and the path is /connected, not /."],
  ["HTTP://localhost:3000/connected", "In the closest one, the scheme and the host have no capital letters."],
  ["http://localhost:03000/connected", "The closest one is the same URL in another spelling."],
  ["http://localhost:3000/connected?", "The closest one is the same URL in another spelling."],
  ...["localhost/connected", "localhost:3000/connected", "/connected", "", "http://", "javascript:alert(1)"].map(
    (url): [string, string] => [url, "This one is not an absolute URL with http:// or https://."],
  ),
])("names the difference of %s", (returnUrl, difference) => {
  const message = `\`returnUrl\` must equal a registered return URL. ${difference} Register it.`;
  expect(explain(returnUrl)).toEqual({ code: "BAD_USER_INPUT", message });
});

test("an application without a return URL", () => {
  expect(explain("http://localhost:3000/connected", [])?.message).toContain("The application has none. Register it.");
});

test("any other refusal stays, and none", () => {
  const other = badUserInput("`returnUrl` must not have a fragment.");
  const options = { returnUrl: "http://localhost:3001/#", registered: REGISTERED, remedy: "Register it." };
  expect(explainReturnUrl(other, options)).toBe(other);
  expect(explainReturnUrl(null, options)).toBeNull();
});

test("of two that are equally close, the later one is named: in a development environment the first is the example's", () => {
  const registered = ["http://127.0.0.1:4003/return", "http://localhost:3000/connected"];
  expect(explain("http://127.0.0.1:3001/connected", registered)?.message).toContain(
    "the host is localhost, not 127.0.0.1, and the port is 3000, not 3001.",
  );
});

test("a long registered URL leaves room for the remedy in a message of 500 characters", () => {
  const long = `https://${"a".repeat(60)}.example/${"b".repeat(1_000)}?c=d`;
  const message = explain("http://localhost:3000/connected?from=app", [long])?.message ?? "";
  expect(message).toContain("the host differs, and the port is 443, not 3000, and the path differs");
  expect(message.length).toBeLessThan(300);
});
