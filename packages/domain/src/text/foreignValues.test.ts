import { expect, test } from "vitest";
import { foreignBoolean, foreignList, foreignScopes } from "./foreignValues.ts";

test.each<[boolean | null, readonly unknown[]]>([
  [true, [true, "true", "True", " TRUE ", 1, "1"]],
  [false, [false, "false", "FALSE", 0, -0, "0"]],
  [null, [null, undefined, "", " ", "yes", "no", "on", "t", 2, -1, "01", 1.5, Number.NaN, ["true"], [1], {}]],
  [null, [`${" ".repeat(20)}true`]],
])("%s is what %j mean", (meaning, values) => {
  expect(values.map((value) => foreignBoolean(value))).toEqual(values.map(() => meaning));
});

test.each<[unknown, readonly string[] | null]>([
  [
    ["S256", "plain"],
    ["S256", "plain"],
  ],
  ["S256", ["S256"]],
  ["code id_token", ["code id_token"]],
  [["S256", 7, null, ""], ["S256"]],
  [[], null],
  ["", null],
  [null, null],
  [undefined, null],
  [{ 0: "S256" }, null],
  [true, null],
])("the list in %j is %j", (value, list) => {
  expect(foreignList(value)).toEqual(list);
});

test.each<[unknown, readonly string[] | null]>([
  ["openid email", ["openid", "email"]],
  ["openid,email, profile", ["openid", "email", "profile"]],
  [
    ["openid", 7, "email"],
    ["openid", "email"],
  ],
  ["", []],
  [[], []],
  [null, null],
  [7, null],
])("the scopes in %j are %j", (value, scopes) => {
  expect(foreignScopes(value)).toEqual(scopes);
});
