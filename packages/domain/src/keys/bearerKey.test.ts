import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { adminKeyText, applicationKeyText, isLaunchToken, parseAdminKey, parseApplicationKey } from "./bearerKey.ts";

const ID = "0190b3c4-7a1e-7c3d-9f00-0123456789ab";
const SECRET = "0123456789abcdef".repeat(4);

describe("an application key", () => {
  test("is read from exactly `Bearer <uuid>.<64 hex>`", () => {
    expect(parseApplicationKey(`Bearer ${ID}.${SECRET}`)).toEqual({ keyId: ID, secret: SECRET });
  });

  test("has an id of either case, and a secret that is left as it came", () => {
    const parsed = parseApplicationKey(`Bearer ${ID.toUpperCase()}.${SECRET.toUpperCase()}`);
    expect(parsed).toEqual({ keyId: ID, secret: SECRET.toUpperCase() });
  });

  test.each([
    ["no header", null],
    ["an empty header", ""],
    ["only the scheme", "Bearer "],
    ["no scheme", `${ID}.${SECRET}`],
    ["a scheme in lower case", `bearer ${ID}.${SECRET}`],
    ["another scheme", `Basic ${ID}.${SECRET}`],
    ["two spaces", `Bearer  ${ID}.${SECRET}`],
    ["a tab", `Bearer\t${ID}.${SECRET}`],
    ["a space before", ` Bearer ${ID}.${SECRET}`],
    ["a space after", `Bearer ${ID}.${SECRET} `],
    ["a line break after", `Bearer ${ID}.${SECRET}\n`],
    ["a second key", `Bearer ${ID}.${SECRET}, Bearer ${ID}.${SECRET}`],
    ["a colon for the dot", `Bearer ${ID}:${SECRET}`],
    ["two dots", `Bearer ${ID}..${SECRET}`],
    ["63 digits", `Bearer ${ID}.${SECRET.slice(1)}`],
    ["65 digits", `Bearer ${ID}.${SECRET}0`],
    ["a digit that is not hexadecimal", `Bearer ${ID}.${SECRET.slice(1)}g`],
    ["a full-width digit", `Bearer ${ID}.${SECRET.slice(1)}\uff10`],
    ["a uuid without hyphens", `Bearer ${ID.replaceAll("-", "")}.${SECRET}`],
    ["a uuid in braces", `Bearer {${ID}}.${SECRET}`],
    ["a short uuid", `Bearer ${ID.slice(1)}.${SECRET}`],
    ["an admin key", `Bearer scadm_${ID}.${SECRET}`],
  ])("is not read from %s", (_, header) => {
    expect(parseApplicationKey(header)).toBeNull();
  });

  test("is parsed from its own text, and from no text with one invalid character", () => {
    const hex64 = fc
      .array(fc.constantFrom(..."0123456789abcdef"), { minLength: 64, maxLength: 64 })
      .map((digits) => digits.join(""));
    fc.assert(
      fc.property(
        fc.uuid(),
        hex64,
        fc.nat(107),
        fc.constantFrom("g", " ", "_", "\0", "é"),
        (keyId, secret, at, foreign) => {
          const header = `Bearer ${applicationKeyText({ keyId, secret })}`;
          expect(parseApplicationKey(header)).toEqual({ keyId, secret });
          const changed = header.slice(0, at) + foreign + header.slice(at + 1);
          if (changed !== header) expect(parseApplicationKey(changed)).toBeNull();
        },
      ),
    );
  });
});

describe("an admin key", () => {
  test("is read from exactly `Bearer scadm_<uuid>.<64 lower-case hex>`", () => {
    const key = { keyId: ID, secret: SECRET };
    expect(parseAdminKey(`Bearer ${adminKeyText(key)}`)).toEqual(key);
  });

  test.each([
    ["a secret in upper case", `Bearer scadm_${ID}.${SECRET.toUpperCase()}`],
    ["a prefix in upper case", `Bearer SCADM_${ID}.${SECRET}`],
    ["no prefix", `Bearer ${ID}.${SECRET}`],
    ["a hyphen for the underscore", `Bearer scadm-${ID}.${SECRET}`],
    ["63 digits", `Bearer scadm_${ID}.${SECRET.slice(1)}`],
    ["no header", null],
  ])("is not read from %s", (_, header) => {
    expect(parseAdminKey(header)).toBeNull();
  });
});

test("a launch token is 64 lower-case hexadecimal characters, and nothing else", () => {
  expect(isLaunchToken("0f".repeat(32))).toBe(true);
  for (const text of ["", "0f".repeat(31), "0F".repeat(32), ` ${"0f".repeat(32)}`, `${"0f".repeat(32)}\n`]) {
    expect(isLaunchToken(text)).toBe(false);
  }
});
