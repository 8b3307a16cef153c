import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPreviewReturnPath, checkReturnUrl, checkReturnUrlRegistration } from "./returnUrl.ts";

const REGISTERED = "https://app.example.com/social/return";
const RULES = { registered: [REGISTERED, "https://app.example.com/back?from=connect&x=%20"] };

describe("a return URL", () => {
  test.each(RULES.registered)("may be the registered %s", (url) => {
    expect(checkReturnUrl(url, RULES)).toBeNull();
  });

  test.each([
    `${REGISTERED}/`,
    `${REGISTERED}?`,
    `${REGISTERED}?a=1`,
    "https://app.example.com/social/Return",
    "https://APP.example.com/social/return",
    "HTTPS://app.example.com/social/return",
    "http://app.example.com/social/return",
    "https://app.example.com:443/social/return",
    "https://app.example.com./social/return",
    "https://user@app.example.com/social/return",
    "https://app.example.com@evil.example/social/return",
    "https://app.example.com\\@evil.example/social/return",
    "https://app.example.com/social/./return",
    "https://app.example.com/a/../social/return",
    "https://app.example.com//social/return",
    "https://app.example.com/social%2Freturn",
    "https://app.example.com/social/retur%6e",
    "https:\\\\app.example.com\\social\\return",
    "//app.example.com/social/return",
    "/social/return",
    ` ${REGISTERED}`,
    `${REGISTERED}\n`,
    "https://app.example.com/social/return\t",
    "https://app.exаmple.com/social/return",
    "https://app.example.com.evil.example/social/return",
    "https://app.example.com/back?x=%20&from=connect",
    "https://app.example.com/back?from=connect&x=+",
    "javascript:alert(1)",
    "",
  ])("must not be %j: only the registered bytes match", (url) => {
    expect(checkReturnUrl(url, RULES)).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test.each([
    "#",
    "#top",
    "?a=1#",
    "?ss_status=COMPLETED",
    "?a=1&ss_session_id=x",
    "?ss_",
    "?ss_=1",
    "?%73s_status=1",
    "?s%73%5fx=1",
  ])("must not end in %s even when it is registered so", (ending) => {
    const url = REGISTERED + ending;
    expect(checkReturnUrl(url, { registered: [url] })).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test.each(["?SS_status=1", "?xss_status=1", "?a=ss_status", "?ss-status=1", "?s%2573_=1"])(
    "may end in %s when it is registered so: the name does not start with ss_",
    (ending) => {
      const url = REGISTERED + ending;
      expect(checkReturnUrl(url, { registered: [url] })).toBeNull();
    },
  );

  test("is only ever accepted when it is one of the registered strings", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(checkReturnUrl(url, RULES) === null).toBe(RULES.registered.includes(url));
      }),
    );
  });
});

describe("a preview return URL", () => {
  const preview = {
    template: "https://{label}.preview.example.app",
    enabled: true,
    paths: ["/social/return", "/back"],
  };
  const rules = { registered: [], preview };

  test.each(["https://pr-1.preview.example.app/social/return", "https://x.preview.example.app/back"])(
    "may be %s",
    (url) => {
      expect(checkReturnUrl(url, rules)).toBeNull();
    },
  );

  test.each([
    "https://pr-1.preview.example.app",
    "https://pr-1.preview.example.app/",
    "https://pr-1.preview.example.app/other",
    "https://pr-1.preview.example.app/back/",
    "https://pr-1.preview.example.app/x/back",
    "https://pr-1.preview.example.app/back?a=1",
    "https://pr-1.preview.example.app/back?",
    "https://pr-1.preview.example.app/back#",
    "https://pr-1.preview.example.app/%62ack",
    "https://a.b.preview.example.app/back",
    "https://pr-1.preview.example.app:8443/back",
    "https://evil.example/.preview.example.app/back",
    "https://evil.example?.preview.example.app/back",
    "https://x@pr-1.preview.example.app/back",
  ])("must not be %s", (url) => {
    expect(checkReturnUrl(url, rules)).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test("needs the switch and a template", () => {
    const url = "https://pr-1.preview.example.app/back";
    expect(checkReturnUrl(url, { registered: [], preview: { ...preview, enabled: false } })).not.toBeNull();
    expect(checkReturnUrl(url, { registered: [], preview: { ...preview, template: null } })).not.toBeNull();
    expect(checkReturnUrl(url, { registered: [] })).not.toBeNull();
  });
});

describe("registering a return URL", () => {
  const rules = { webOrigins: ["https://app.example.com", "http://localhost:4403"], allowLoopbackHttp: true };

  test.each(["https://app.example.com/", "https://app.example.com/return?x=%20", "http://localhost:4403/return"])(
    "takes %s",
    (url) => {
      expect(checkReturnUrlRegistration(url, rules)).toBeNull();
    },
  );

  test.each([
    ["an origin that is not the application's", "https://other.example.com/return"],
    ["no path", "https://app.example.com"],
    ["a fragment", "https://app.example.com/return#"],
    ["a reserved parameter", "https://app.example.com/return?ss_x=1"],
    ["credentials", "https://a:b@app.example.com/return"],
    ["the default port", "https://app.example.com:443/return"],
    ["dot segments", "https://app.example.com/a/../return"],
    ["a backslash", "https://app.example.com\\return"],
    ["a space", "https://app.example.com/re turn"],
    ["letters outside ASCII", "https://app.example.com/zurück"],
    ["another scheme", "javascript:alert(1)"],
    ["no scheme", "//app.example.com/return"],
    ["too many characters", `https://app.example.com/${"a".repeat(2_048)}`],
  ])("refuses %s", (_, url) => {
    expect(checkReturnUrlRegistration(url, rules)).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test.each([
    [2_048, true],
    [2_049, false],
  ])("takes one of %i characters: %s", (length, taken) => {
    const url = "https://app.example.com/".padEnd(length, "a");
    expect(checkReturnUrlRegistration(url, rules) === null).toBe(taken);
  });

  test("refuses plain http in live even on a registered origin", () => {
    expect(
      checkReturnUrlRegistration("http://localhost:4403/return", { ...rules, allowLoopbackHttp: false }),
    ).not.toBeNull();
  });
});

describe("a preview return path", () => {
  test.each(["/", "/social/return", "/a-b_c.~/%20"])("may be %s", (path) => {
    expect(checkPreviewReturnPath(path)).toBeNull();
  });

  test.each(["", "social", "//evil.example", "/a/../b", "/a?b", "/a#", "/a b", "/\\evil", "/ä", "https://x.example/"])(
    "must not be %j",
    (path) => {
      expect(checkPreviewReturnPath(path)).toMatchObject({ code: "BAD_USER_INPUT" });
    },
  );
});

test.each([
  [2_048, true],
  [2_049, false],
])("a preview return path of %i characters is taken: %s", (length, taken) => {
  expect(checkPreviewReturnPath("/".padEnd(length, "a")) === null).toBe(taken);
});
