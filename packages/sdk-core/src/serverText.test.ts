import { describe, expect, it } from "vitest";
import { carriedBy, cleanId, cleanMessage, cleanName, withSecretsOf } from "./serverText.ts";

const KEY = `11111111-2222-4333-8444-555555555555.${"c0ffee".repeat(10)}beef`;
const carried = (variables: object) => carriedBy(JSON.stringify({ query: "{ x }", variables }), KEY);
const OMITTED = "The service rejected this call. Its message is omitted because it repeats parts of the request.";
const SUBJECT = carried({ scope: { tenantKey: "acme", externalSubjectId: 'user/42 "ä"' }, provider: "PROVIDER_A" });

describe("a message of the server", () => {
  it("is unchanged when it repeats no part of the request", () => {
    const message = "`returnUrl` must equal a registered return URL.";
    expect(cleanMessage(message, SUBJECT)).toBe(message);
  });

  it("keeps enum values, which do not identify a user", () => {
    expect(cleanMessage("PROVIDER_A is paused", SUBJECT)).toBe("PROVIDER_A is paused");
  });

  it.each([
    ['acme has no subject user/42 "ä"', "unchanged"],
    ['ACME: USER/42 "Ä"', "in capitals"],
    [String.raw`{"scope":{"tenantKey":"acme","externalSubjectId":"user/42 \"ä\""}}`, "as JSON"],
    ["?tenant=acme&subject=user%2F42%20%22%C3%A4%22", "as a URL"],
  ])("is omitted when it contains a value of the request: %s (%s)", (message) => {
    expect(cleanMessage(message, SUBJECT)).toBe(OMITTED);
    expect(cleanMessage(message, carried({ subject: "somebody else" }))).toBe(message);
  });

  it("is unchanged when it contains a value of fewer than four characters, as by chance", () => {
    const message = "a scan of a window is off";
    expect(cleanMessage(message, carried({ id: "a", url: "of" }))).toBe(message);
  });

  it.each([KEY.slice(0, 20), KEY.slice(37, 52), KEY.slice(-12)])(
    "is omitted when it contains a part of the key: %s",
    (piece) => {
      expect(cleanMessage(`key ${piece}… is not known`, SUBJECT)).not.toContain(piece);
    },
  );

  it("is omitted when it contains a long part of a value", () => {
    const url = "https://app.example.com/return/of/the/person";
    const clean = cleanMessage(`not registered: ${url.slice(0, 30)}…`, carried({ url }));
    expect(clean).not.toContain("app.example");
  });

  it("is omitted when it contains a secret with a separator inside", () => {
    const spaced = KEY.slice(37).replace(/(.{6})/g, "$1 ");
    expect(cleanMessage(`key ${spaced}`, SUBJECT)).not.toContain("c0ffee");
    expect(cleanMessage("proof 0123-4567-89 is wrong", carried({ resultProof: "0123456789ab" }))).not.toContain("0123");
  });

  it("is omitted when it contains the token of a session in the same response", () => {
    const answered = withSecretsOf({ id: "session-7", launchToken: "one-use", expiresAt: 7 }, SUBJECT);
    expect(cleanMessage("one-use was lost", answered)).toBe(OMITTED);
    expect(cleanMessage("session-7 was lost", answered)).toBe("session-7 was lost");
  });

  it("has every token-like string removed, sent or not", () => {
    expect(cleanMessage(`token ${"ab".repeat(32)} was used`, SUBJECT)).toBe("token [redacted] was used");
    const id = "01980a3c-7e1d-7b52-9c4f-2d6e8a10b3f7";
    expect(cleanMessage(`quote ${id}`, SUBJECT)).toBe(`quote ${id}`);
  });

  it("is one line of bounded length", () => {
    expect(cleanMessage("one\r\ntwo\u001b[31m\u2028three", SUBJECT)).toBe("one two [31m three");
    expect(cleanMessage("x ".repeat(9_000), SUBJECT).length).toBeLessThan(510);
  });

  it("is cleaned for any characters in the values", () => {
    const odd = carried({ one: "$&^.*+?()[]{}|\\/-", two: "\ud800", three: "" });
    expect(cleanMessage("it said $&^.*+?()[]{}|\\/- and more", odd)).toBe(OMITTED);
    expect(cleanMessage("it was rejected", odd)).toBe("it was rejected");
  });
});

describe("a name of the server", () => {
  const NAME = /^[A-Z_]{1,20}$/;

  it.each([
    ["FORBIDDEN", "FORBIDDEN"],
    ["forbidden", undefined],
    [7, undefined],
    [null, undefined],
    ["A".repeat(21), undefined],
  ])("%s is %s", (name, clean) => {
    expect(cleanName(name, NAME, SUBJECT)).toBe(clean);
  });

  it("is undefined when it repeats a value of the request", () => {
    expect(cleanName("ACME", NAME, SUBJECT)).toBeUndefined();
    expect(cleanName("PROVIDER_A", NAME, SUBJECT)).toBe("PROVIDER_A");
    expect(cleanName("BEEF", NAME, SUBJECT)).toBe("BEEF");
  });

  it.each(["E_canary-user-7", `E${KEY.slice(-20)}`, `x-${KEY.slice(0, 18)}`])(
    "is undefined when it contains a value: %s",
    (name) => {
      const values = carried({ externalSubjectId: "canary-user-7" });
      expect(cleanName(name, /^[\w.-]{1,39}$/, values)).toBeUndefined();
      expect(cleanName("E_SOMETHING_NEW", /^[\w.-]{1,39}$/, values)).toBe("E_SOMETHING_NEW");
    },
  );
});

describe("an id of the server", () => {
  const UUID = /^[0-9a-f-]{36}$/;
  const asUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");

  it("is unchanged if it only shares a prefix or suffix with one of the request", () => {
    const values = carried({ id: "01980a3c-7e1d-7b52-9c4f-2d6e8a10b3f7" });
    for (const id of ["01980a3c-7e1d-7b52-9c4f-2d6e8a10b3f8", "99999999-8888-4777-8666-555555555555"]) {
      expect(cleanId(id, UUID, values)).toBe(id);
    }
  });

  it("is undefined when it is a value of the request, or made of the key", () => {
    const id = "01980a3c-7e1d-7b52-9c4f-2d6e8a10b3f7";
    expect(cleanId(id, UUID, carried({ id: id.toUpperCase() }))).toBeUndefined();
    expect(cleanId(KEY.slice(0, 36), UUID, SUBJECT)).toBeUndefined();
    expect(cleanId(asUuid(KEY.slice(40)), UUID, SUBJECT)).toBeUndefined();
  });
});
