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
  ["", "Write an origin."],
  ["https://acme.example/", "did you mean https://acme.example?"],
  ["https://ACME.example:443/page?x=1", "did you mean https://acme.example?"],
  ["acme.example", "Write scheme and host"],
  ["http://acme.example", "Write scheme and host"],
  ["ftp://acme.example", "Write scheme and host"],
])("an origin %s is answered with %s", (origin, problem) => {
  if (problem === null) expect(originProblem(origin)).toBeNull();
  else expect(originProblem(origin)).toContain(problem);
});

const ORIGINS = ["https://acme.example"];
test.each([
  ["https://acme.example/return", null],
  ["https://acme.example/return?from=panel", null],
  ["/return", "Write a whole address"],
  ["https://acme.example/return#", "Leave out the part from # on."],
  ["https://acme.example/return?ss_status=x", "begin with ss_"],
  ["https://other.example/return", "https://other.example is none of them"],
  ["https://acme.example", "with a path"],
  ["https://me@acme.example/return", "without a user name"],
])("a return URL %s is answered with %s", (url, problem) => {
  if (problem === null) expect(returnUrlProblem(url, ORIGINS)).toBeNull();
  else expect(returnUrlProblem(url, ORIGINS)).toContain(problem);
});

test("slugs, tenant keys and preview paths are held to the service's rules", () => {
  expect(["acme", "a", "a-1", "x".repeat(63)].map(slugProblem)).toEqual([null, null, null, null]);
  expect(["", "-a", "a-", "A", "a_b", "x".repeat(64)].filter((slug) => slugProblem(slug) === null)).toEqual([]);
  expect([tenantKeyProblem("main"), tenantKeyProblem("x".repeat(128))]).toEqual([null, null]);
  expect([tenantKeyProblem(""), tenantKeyProblem("x".repeat(129))].filter((problem) => problem === null)).toEqual([]);
  expect(previewPathProblem("/social/return")).toBeNull();
  expect(["", "social", "//x", "/a?b", "/a#b"].filter((path) => previewPathProblem(path) === null)).toEqual([]);
});

test("of several lines the first that is wrong is named, and so is one that is there twice", () => {
  expect(linesOf(" a \n\n b\n")).toEqual(["a", "b"]);
  expect(linesProblem("https://a.example\nhttps://b.example", originProblem, "none")).toBeNull();
  expect(linesProblem("https://a.example\nb", originProblem, "none")).toMatch(/^b: Write scheme/);
  expect(linesProblem("b", originProblem, "none")).toMatch(/^Write scheme/);
  expect(linesProblem("a\na", () => null, "none")).toBe("a is there twice.");
  expect([linesProblem(" \n", () => "x", "none"), linesProblem("", () => "x", null)]).toEqual(["none", null]);
});

test.each([
  ["Äcme Studio", "acme-studio"],
  ["  Straße & Co. ", "stra-e-co"],
  ["統一", ""],
  [`${"a".repeat(62)} b`, "a".repeat(62)],
])("a slug for %s is %s, which the service takes or is for the person to write", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
  expect(slug === "" || slugProblem(slug) === null).toBe(true);
});
