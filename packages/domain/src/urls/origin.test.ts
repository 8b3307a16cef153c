import { describe, expect, test } from "vitest";
import {
  checkPreviewTemplate,
  checkWebOrigin,
  isExactOrigin,
  isLaunchOriginAllowed,
  matchesPreviewTemplate,
} from "./origin.ts";

const LIVE = { allowLoopbackHttp: false };
const SANDBOX = { allowLoopbackHttp: true };

describe("an exact origin", () => {
  test.each([
    "https://app.example.com",
    "https://example.com",
    "https://app.example.com:8443",
    "https://xn--bcher-kva.example",
    "https://192.0.2.1",
    "https://[2001:db8::1]",
    "https://[2001:db8::1]:8443",
    "https://localhost",
    `https://${"a.".repeat(126)}a`,
  ])("may be %s in every mode", (origin) => {
    expect(isExactOrigin(origin, LIVE)).toBe(true);
    expect(isExactOrigin(origin, SANDBOX)).toBe(true);
    expect(checkWebOrigin(origin, LIVE)).toBeNull();
  });

  test.each([
    "http://localhost",
    "http://localhost:4403",
    "http://127.0.0.1:4403",
    "http://127.1.2.3",
    "http://[::1]:4403",
    "http://app.localhost:3000",
  ])("may be %s in sandbox only", (origin) => {
    expect(isExactOrigin(origin, SANDBOX)).toBe(true);
    expect(isExactOrigin(origin, LIVE)).toBe(false);
  });

  test.each([
    ["plain http", "http://app.example.com"],
    ["a host that only begins like a loopback one", "http://localhost.example.com"],
    ["a host that only ends like one", "http://notlocalhost"],
    ["a number that browsers read as another address", "http://127.1"],
    ["a trailing slash", "https://app.example.com/"],
    ["a path", "https://app.example.com/a"],
    ["a query", "https://app.example.com?a"],
    ["a fragment", "https://app.example.com#"],
    ["credentials", "https://a@app.example.com"],
    ["a name longer than DNS can carry", `https://${"a.".repeat(126)}ab`],
    ["the default port", "https://app.example.com:443"],
    ["an empty port", "https://app.example.com:"],
    ["a port with a leading zero", "https://app.example.com:08443"],
    ["a port that does not exist", "https://app.example.com:65536"],
    ["upper case", "https://App.example.com"],
    ["a scheme in upper case", "HTTPS://app.example.com"],
    ["a wildcard", "https://*.example.com"],
    ["letters outside ASCII", "https://bücher.example"],
    ["a trailing dot", "https://app.example.com."],
    ["an empty label", "https://app..example.com"],
    ["a label that begins with a hyphen", "https://-app.example.com"],
    ["a label of 64 characters", `https://${"a".repeat(64)}.example.com`],
    ["a line break", "https://app.example.com\n"],
    ["a backslash", "https:\\\\app.example.com"],
    ["another scheme", "ftp://app.example.com"],
    ["the opaque origin", "null"],
    ["nothing", ""],
  ])("has no %s", (_, origin) => {
    expect(isExactOrigin(origin, SANDBOX)).toBe(false);
    expect(checkWebOrigin(origin, SANDBOX)).toMatchObject({ code: "BAD_USER_INPUT" });
  });
});

describe("a preview origin", () => {
  const template = "https://{label}.preview.example.app";

  test.each(["a", "pr-12", "0", "x".repeat(63)])("may have the label %s", (label) => {
    expect(matchesPreviewTemplate(`https://${label}.preview.example.app`, template)).toBe(true);
  });

  test.each([
    ["no label", "https://.preview.example.app"],
    ["no dot after it", "https://preview.example.app"],
    ["two labels", "https://a.b.preview.example.app"],
    ["a label of 64 characters", `https://${"x".repeat(64)}.preview.example.app`],
    ["a hyphen at an end", "https://a-.preview.example.app"],
    ["upper case", "https://A.preview.example.app"],
    ["an underscore", "https://a_b.preview.example.app"],
    ["a port", "https://a.preview.example.app:8443"],
    ["plain http", "http://a.preview.example.app"],
    ["something after the host", "https://a.preview.example.app.evil.example"],
    ["credentials that resemble it", "https://x@a.preview.example.app"],
    ["a host before it", "https://evil.example/.preview.example.app"],
    ["the placeholder itself", template],
  ])("has no match with %s", (_, origin) => {
    expect(matchesPreviewTemplate(origin, template)).toBe(false);
  });

  test("does not exist without a template", () => {
    expect(matchesPreviewTemplate("https://a.preview.example.app", null)).toBe(false);
  });

  test("does not exist with a template that names the label twice or not at all", () => {
    expect(matchesPreviewTemplate("https://a.a.example.app", "https://{label}.{label}.example.app")).toBe(false);
    expect(matchesPreviewTemplate("https://preview.example.app", "https://preview.example.app")).toBe(false);
  });

  test("counts the text around the placeholder into the one label", () => {
    const inside = "https://pr-{label}-web.example.app";
    expect(matchesPreviewTemplate("https://pr-7-web.example.app", inside)).toBe(true);
    expect(matchesPreviewTemplate(`https://pr-${"7".repeat(56)}-web.example.app`, inside)).toBe(true);
    expect(matchesPreviewTemplate(`https://pr-${"7".repeat(57)}-web.example.app`, inside)).toBe(false);
    expect(matchesPreviewTemplate("https://pr--web.example.app", inside)).toBe(false);
  });
});

describe("a preview template", () => {
  test.each(["https://{label}.preview.example.app", "https://{label}.example.app:8443"])("may be %s", (template) => {
    expect(checkPreviewTemplate(template, LIVE)).toBeNull();
  });

  test("may be plain http on a loopback name in sandbox", () => {
    expect(checkPreviewTemplate("http://{label}.localhost:3000", SANDBOX)).toBeNull();
    expect(checkPreviewTemplate("http://{label}.localhost:3000", LIVE)).not.toBeNull();
  });

  test.each([
    "https://preview.example.app",
    "https://{label}.{label}.example.app",
    "https://example.app/{label}",
    "https://example.app:{label}",
    "{label}://example.app",
    "https://{label}.example.app/",
    "https://pr-{label}.example.app",
    "https://{label}-web.example.app",
    "https://preview.{label}.example.app",
    "https://{label}",
  ])("must not be %s", (template) => {
    expect(checkPreviewTemplate(template, SANDBOX)).toMatchObject({ code: "BAD_USER_INPUT" });
  });
});

describe("the launch form may be posted", () => {
  const application = { webOrigins: ["https://app.example.com"], previewOriginsEnabled: true };
  const template = "https://{label}.preview.example.app";

  test.each(["https://app.example.com", "https://pr-1.preview.example.app"])("by a page of %s", (origin) => {
    expect(isLaunchOriginAllowed(origin, application, template)).toBe(true);
  });

  test.each([
    ["without the header", null],
    ["with an opaque origin", "null"],
    ["by a foreign origin", "https://evil.example"],
    ["by a subdomain", "https://a.app.example.com"],
    ["by the same host over http", "http://app.example.com"],
    ["by the same host on another port", "https://app.example.com:8443"],
    ["by an empty origin", ""],
  ])("not %s", (_, origin) => {
    expect(isLaunchOriginAllowed(origin, application, template)).toBe(false);
  });

  test("by a preview origin only with the switch on and a template", () => {
    const origin = "https://pr-1.preview.example.app";
    expect(isLaunchOriginAllowed(origin, { ...application, previewOriginsEnabled: false }, template)).toBe(false);
    expect(isLaunchOriginAllowed(origin, application, null)).toBe(false);
  });
});
