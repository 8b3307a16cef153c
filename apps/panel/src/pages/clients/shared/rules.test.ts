import { expect, test } from "vitest";
import {
  linesOf,
  linesProblem,
  originProblem,
  previewPathProblem,
  returnUrlProblem,
  slugOf,
  slugProblem,
  tenantKeyProblem,
} from "./rules.ts";

test.each([
  ["https://acme.example", null],
  ["http://localhost:3000", null],
  ["", "Enter an origin."],
  ["https://acme.example/", "did you mean https://acme.example?"],
  ["https://ACME.example:443/page?x=1", "did you mean https://acme.example?"],
  ["acme.example", "Enter the scheme and host"],
  ["http://acme.example", "Enter the scheme and host"],
  ["ftp://acme.example", "Enter the scheme and host"],
])("reports for the origin %s: %s", (origin, problem) => {
  if (problem === null) expect(originProblem(origin)).toBeNull();
  else expect(originProblem(origin)).toContain(problem);
});

const ORIGINS = ["https://acme.example"];
test.each([
  ["https://acme.example/return", null],
  ["https://acme.example/return?from=panel", null],
  ["/return", "Enter an absolute URL"],
  ["https://acme.example/return#", "Remove the fragment (#)."],
  ["https://acme.example/return?ss_status=x", "that start with ss_"],
  ["https://other.example/return", "https://other.example is not registered"],
  ["https://acme.example", "with a path"],
  ["https://me@acme.example/return", "without a user name"],
])("reports for the return URL %s: %s", (url, problem) => {
  if (problem === null) expect(returnUrlProblem(url, ORIGINS)).toBeNull();
  else expect(returnUrlProblem(url, ORIGINS)).toContain(problem);
});

test("applies the service's rules to slugs, tenant keys and preview paths", () => {
  expect(["acme", "a", "a-1", "x".repeat(63)].map(slugProblem)).toEqual([null, null, null, null]);
  expect(["", "-a", "a-", "A", "a_b", "x".repeat(64)].filter((slug) => slugProblem(slug) === null)).toEqual([]);
  expect([tenantKeyProblem("main"), tenantKeyProblem("x".repeat(128))]).toEqual([null, null]);
  expect([tenantKeyProblem(""), tenantKeyProblem("x".repeat(129))].filter((problem) => problem === null)).toEqual([]);
  expect(previewPathProblem("/social/return")).toBeNull();
  expect(["", "social", "//x", "/a?b", "/a#b"].filter((path) => previewPathProblem(path) === null)).toEqual([]);
});

test("reports the first invalid line and duplicates", () => {
  expect(linesOf(" a \n\n b\n")).toEqual(["a", "b"]);
  expect(linesProblem("https://a.example\nhttps://b.example", originProblem, "none")).toBeNull();
  expect(linesProblem("https://a.example\nb", originProblem, "none")).toMatch(/^b: Enter the scheme/);
  expect(linesProblem("b", originProblem, "none")).toMatch(/^Enter the scheme/);
  expect(linesProblem("a\na", () => null, "none")).toBe("a is a duplicate.");
  expect([linesProblem(" \n", () => "x", "none"), linesProblem("", () => "x", null)]).toEqual(["none", null]);
});

test.each([
  ["Äcme Studio", "acme-studio"],
  ["  Straße & Co. ", "stra-e-co"],
  ["統一", ""],
  [`${"a".repeat(62)} b`, "a".repeat(62)],
])("derives from the name %s the slug %s, which is valid or empty", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
  expect(slug === "" || slugProblem(slug) === null).toBe(true);
});

test("http on a loopback host is refused for a service in live mode", () => {
  const [sandbox, live] = [{ allowLoopbackHttp: true }, { allowLoopbackHttp: false }];
  for (const host of ["localhost:3000", "127.0.0.1"]) {
    const origin = `http://${host}`;
    expect(originProblem(origin, sandbox)).toBeNull();
    expect(originProblem(origin, live)).toContain("live mode");
    expect(returnUrlProblem(`${origin}/return`, [origin], sandbox)).toBeNull();
    expect(returnUrlProblem(`${origin}/return`, [origin], live)).toContain("live mode");
  }
  expect(originProblem("https://app.example", live)).toBeNull();
});
