import { describe, expect, it } from "vitest";
import {
  coerceBoolean,
  coerceCount,
  coerceId,
  coerceList,
  coerceNumber,
  coerceObject,
  coerceString,
  coerceTime,
  coerceUrl,
  handleOf,
  withoutTracking,
} from "./coerce.ts";
import { parseExactJson } from "./exactJson.ts";
import { capabilitiesOf, requestedScopes } from "./scopes.ts";

describe("exact JSON", () => {
  it("preserves a 20-digit number and leaves small numbers as numbers", () => {
    expect(parseExactJson('{"id":12345678901234567890,"n":12,"f":1.5,"negative":-9223372036854775808}')).toEqual({
      id: "12345678901234567890",
      n: 12,
      f: 1.5,
      negative: "-9223372036854775808",
    });
  });

  it("leaves digits in strings, fractions, exponents and exact numbers unchanged", () => {
    const long = "12345678901234567890";
    const text = `{"a\\":${long}":"\\\\${long}","b":[0.${long},1e-0000000000000000003,9007199254740991,-${long}]}`;
    expect(parseExactJson(text)).toEqual({
      [`a":${long}`]: `\\${long}`,
      b: [Number(`0.${long}`), 1e-3, 9_007_199_254_740_991, `-${long}`],
    });
  });

  it.each(["", "{", "<html></html>", '{"a":1', "[".repeat(200_000)])("returns undefined for invalid JSON", (text) => {
    expect(parseExactJson(text)).toBeUndefined();
  });
});

describe("lenient fields", () => {
  it("reads missing, null and mistyped keys as null and preserves the rest", () => {
    const wire = coerceObject({ id: coerceId, name: coerceString, nested: coerceObject({ count: coerceCount }) });
    const nothing = { id: null, name: null, nested: { count: null } };
    for (const odd of [{}, null, "text", [], { id: {}, name: 5, nested: 7 }, { nested: null }]) {
      expect(wire.parse(odd)).toEqual(nothing);
    }
    expect(wire.parse({ id: 5, extra: 1, nested: { count: "007" } })).toEqual({
      id: "5",
      name: null,
      nested: { count: "7" },
    });
  });

  it("does not read inherited properties", () => {
    expect(coerceObject({ constructor: coerceString, toString: coerceString }).parse({})).toEqual({
      constructor: null,
      toString: null,
    });
  });

  it.each(["", "  ", "a\0b", "\ud83e", "9".repeat(256), 1.5, 1e300, -0.5, true, {}])("rejects %j as an id", (given) => {
    expect(coerceId.parse(given)).toBeNull();
  });

  it("omits list elements that are not objects", () => {
    expect(coerceList(coerceObject({ id: coerceId })).parse([{ id: "a" }, null, "b", 3])).toEqual([{ id: "a" }]);
    expect(coerceList(coerceObject({ id: coerceId })).parse({ 0: { id: "a" } })).toEqual([]);
  });

  it.each([
    [0, "0"],
    ["0", "0"],
    ["00012", "12"],
    [9_007_199_254_740_991, "9007199254740991"],
    ["18446744073709551616", "18446744073709551616"],
    [" 42 ", "42"],
    ["42.0", "42"],
    ["42.5", null],
    ["-1.0", null],
    ["hidden", null],
    ["+5", null],
    ["٤٢", null],
    ["9".repeat(41), null],
    [null, null],
    [{ value: 5 }, null],
    [["5"], null],
    [-1, null],
    ["-1", null],
    [1.5, null],
    ["1.5", null],
    ["1e3", null],
    ["1,234", null],
    ["", null],
    [9_007_199_254_740_992, null],
    [Number.NaN, null],
    [true, null],
    [undefined, null],
  ])("reads the count %j as %j", (given, expected) => {
    expect(coerceCount.parse(given)).toBe(expected);
  });

  it.each([
    ["2007-08-23T00:34:43Z", "2007-08-23T00:34:43.000Z"],
    ["2024-01-11T00:06:08.5Z", "2024-01-11T00:06:08.500Z"],
    ["2024-01-11T00:06:08.123456Z", "2024-01-11T00:06:08.123Z"],
    ["2021-08-13T08:25:28+0000", "2021-08-13T08:25:28.000Z"],
    ["2021-08-13T08:25:28+0230", "2021-08-13T05:55:28.000Z"],
    ["2021-08-13T08:25:28-05:00", "2021-08-13T13:25:28.000Z"],
    ["2021-08-13T08:25:28", "2021-08-13T08:25:28.000Z"],
    ["2021-08-13T08:25:28+00", "2021-08-13T08:25:28.000Z"],
    ["2021-08-13T08:25:28-0000", "2021-08-13T08:25:28.000Z"],
    ["2021-08-13t08:25:28z", "2021-08-13T08:25:28.000Z"],
    ["2021-08-13 08:25:28 +0000", "2021-08-13T08:25:28.000Z"],
    [" 2021-08-13T08:25:28,5Z ", "2021-08-13T08:25:28.500Z"],
    ["2021-08-13T08:25Z", "2021-08-13T08:25:00.000Z"],
    ["2021-08-13T08:25:28.123456789012Z", "2021-08-13T08:25:28.123Z"],
    ["2021-12-31T23:30:00-01:00", "2022-01-01T00:30:00.000Z"],
    [1_628_843_128, "2021-08-13T08:25:28.000Z"],
    ["1628843128", "2021-08-13T08:25:28.000Z"],
    [1_628_843_128_500, "2021-08-13T08:25:28.500Z"],
    ["1628843128500", "2021-08-13T08:25:28.500Z"],
    [1_628_843_128.5, "2021-08-13T08:25:28.500Z"],
    ["1628843128.5", "2021-08-13T08:25:28.500Z"],
  ])("reads the time %s", (given, expected) => {
    expect(coerceTime.parse(given)?.toISOString()).toBe(expected);
  });

  it.each([
    "",
    "yesterday",
    "2021-13-45T08:25:28Z",
    "0000-05-01T08:25:28Z",
    "2021-02-30T08:25:28Z",
    "2021-08-13T25:25:28Z",
    "2021-08-13T08:25:28+25:00",
    "2021-08-13",
    "2021",
    "13/08/2021 08:25:28",
    0,
    "0",
    -1_628_843_128,
    1e300,
    1_628_843_128_000_000,
    "1628843128000000",
    Number.NaN,
    true,
    null,
    {},
  ])("rejects %j as a time", (given) => {
    expect(coerceTime.parse(given)).toBeNull();
  });

  it.each([
    ["@name", "name"],
    ["name", "name"],
    [" @@name", "name"],
    ["＠name", "name"],
    ["@", null],
    [null, null],
  ])("reads the handle %j as %j", (given, expected) => {
    expect(handleOf(given)).toBe(expected);
  });

  it("reads a number and a boolean in each form of JSON", () => {
    const numbers = [3_599, "3599", " 3599 ", "3599.0", "-1", "1e3", "", null, "soon"];
    expect(numbers.map((one) => coerceNumber.parse(one))).toEqual([
      ...[3_599, 3_599, 3_599, 3_599, -1, null, null, null, null],
    ]);
    const booleans = [true, 1, "true", "1", false, 0, "false", "0", "yes", null, 2];
    expect(booleans.map((one) => coerceBoolean.parse(one))).toEqual([
      ...[true, true, true, true, false, false, false, false, null, null, null],
    ]);
  });

  it("removes NUL from strings and keeps whitespace", () => {
    expect(coerceString.parse("a\0b ")).toBe("ab ");
    expect(coerceString.parse("")).toBeNull();
    expect(coerceString.parse("half \ud83e of one")).toBe("half \ufffd of one");
  });

  it("preserves a web URL exactly and rejects anything else", () => {
    const signed = "https://CDN.example.test/a%2Fb.jpg?x-expires=1&x-signature=%2B%3D#a";
    expect(coerceUrl.parse(signed)).toBe(signed);
    for (const odd of ["javascript:alert(1)", "data:image/png;base64,AA", "/a.jpg", "", 5, null]) {
      expect(coerceUrl.parse(odd)).toBeNull();
    }
  });

  it("removes query and fragment from a URL and rejects other strings", () => {
    expect(withoutTracking("https://a.example/@x/video/1?utm_source=app#top")).toBe("https://a.example/@x/video/1");
    expect(withoutTracking("javascript:alert(1)")).toBeNull();
    expect(withoutTracking("nothing")).toBeNull();
  });
});

describe("scopes", () => {
  const scopes = {
    PROFILE: ["basic"],
    CONTENT_LIST: ["basic", "list"],
    CONTENT_LOOKUP: ["list"],
    CONTENT_METRICS: ["list", "stats"],
  };

  it("requests each scope once", () => {
    expect(requestedScopes(scopes, ["CONTENT_LIST", "PROFILE"])).toEqual(["basic", "list"]);
  });

  it("grants a capability only when all of its scopes were granted", () => {
    expect(capabilitiesOf(scopes, ["basic", "list"])).toEqual(["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP"]);
    expect(capabilitiesOf(scopes, ["stats"])).toEqual([]);
  });
});
