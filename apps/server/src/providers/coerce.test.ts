import { describe, expect, it } from "vitest";
import {
  coerceCount,
  coerceDateTime,
  coerceEpochSeconds,
  coerceId,
  coerceList,
  coerceObject,
  coerceString,
  coerceUrl,
  withoutTracking,
} from "./coerce.ts";
import { parseExactJson } from "./exactJson.ts";
import { retryAfterSeconds } from "./retryAfter.ts";
import { capabilitiesOf, grantedScopes, requestedScopes } from "./scopes.ts";

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
  ])("reads the time %s", (given, expected) => {
    expect(coerceDateTime.parse(given)?.toISOString()).toBe(expected);
  });

  it.each([
    "",
    "yesterday",
    "2021-13-45T08:25:28Z",
    "0000-05-01T08:25:28Z",
    "2021-02-30T08:25:28Z",
    "1628843128",
    1_628_843_128,
    null,
  ])("rejects %j as a time", (given) => {
    expect(coerceDateTime.parse(given)).toBeNull();
  });

  it("reads Unix seconds as a number or digits, and 0 as unknown", () => {
    expect(coerceEpochSeconds.parse(1_643_332_803)?.toISOString()).toBe("2022-01-28T01:20:03.000Z");
    expect(coerceEpochSeconds.parse("1643332803")?.toISOString()).toBe("2022-01-28T01:20:03.000Z");
    expect(coerceEpochSeconds.parse(0)).toBeNull();
    expect(coerceEpochSeconds.parse(1e300)).toBeNull();
    expect(coerceEpochSeconds.parse(253_402_300_800)).toBeNull();
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

describe("Retry-After", () => {
  const now = new Date("2026-09-01T12:00:00Z");
  const wait = (value?: string) =>
    retryAfterSeconds(new Headers(value === undefined ? {} : { "retry-after": value }), now);

  it("reads seconds and HTTP dates", () => {
    expect(wait("120")).toBe(120);
    expect(wait("Tue, 01 Sep 2026 12:02:00 GMT")).toBe(120);
    expect(wait("Tuesday, 01-Sep-26 12:02:00 GMT")).toBe(120);
    expect(wait("Tue Sep  1 12:02:00 2026")).toBe(120);
  });

  it("limits the wait to between a second and a day", () => {
    expect(wait("0")).toBe(1);
    expect(wait("99999999999999")).toBe(86_400);
    expect(wait("Tue, 01 Sep 2020 12:02:00 GMT")).toBe(1);
  });

  it("ignores other values", () => {
    expect(wait()).toBeNull();
    expect(wait("soon")).toBeNull();
    expect(wait("-5")).toBeNull();
    expect(wait("Tue, soon")).toBeNull();
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

  it("reads scopes separated by spaces or commas, and distinguishes an empty value from a missing one", () => {
    expect(grantedScopes("a b,c, d")).toEqual(["a", "b", "c", "d"]);
    expect(grantedScopes(["a", 1, "b"])).toEqual(["a", "b"]);
    expect(grantedScopes("")).toEqual([]);
    expect(grantedScopes(undefined)).toBeNull();
  });
});
