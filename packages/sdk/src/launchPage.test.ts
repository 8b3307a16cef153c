import { createHash } from "node:crypto";
import { Secret } from "@social-connect/sdk-core";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import { describe, expect, it } from "vitest";
import { type LaunchPageOptions, launchPage } from "./launchPage.ts";
import { SESSION_WIRE } from "./testing/samples.ts";

const SESSION = {
  ...SESSION_WIRE,
  launchToken: new Secret(SESSION_WIRE.launchToken),
  resultProof: new Secret("proof"),
};

function hashOf(tag: "script" | "style", html: string): string {
  const text = new RegExp(`<${tag}>(.*)</${tag}>`).exec(html)?.[1] ?? "";
  expect(text).not.toBe("");
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

describe("the launch page", () => {
  it("posts only the token to the launch URL", () => {
    const { html } = launchPage(SESSION);
    expect(html).toContain(`<form method="post" action="${SESSION.launchUrl}">`);
    expect(html.match(/<input[^>]*>/g)).toEqual([
      `<input type="hidden" name="launchToken" value="${SESSION_WIRE.launchToken}">`,
    ]);
    expect(html).not.toContain("proof");
    expect(html).not.toContain(SESSION.id);
  });

  it("posts the languages of the service's pages and the wish for its consent pane, if they are set", () => {
    const fields = (options: LaunchPageOptions) =>
      launchPage(SESSION, options)
        .html.match(/<input[^>]*>/g)
        ?.slice(1);
    expect(fields({ uiLocales: "de-AT de en" })).toEqual([
      '<input type="hidden" name="ui_locales" value="de-AT de en">',
    ]);
    expect(fields({ consentPane: true })).toEqual(['<input type="hidden" name="consent_pane" value="true">']);
    expect(fields({ consentPane: false })).toEqual([]);
  });

  it.each(["", "de,en", "de  en", '"><script>', "x".repeat(36), Array(17).fill("de").join(" ")])(
    "refuses the languages %j",
    (uiLocales) => {
      expect(() => launchPage(SESSION, { uiLocales })).toThrow("uiLocales");
    },
  );

  it.each([
    [{}, "en", "Continue"],
    [{ uiLocales: "de-AT en" }, "de", "Weiter"],
    [{ uiLocales: "tlh JA-jp" }, "ja", "続ける"],
    [{ uiLocales: "constructor" }, "en", "Continue"],
    [{ uiLocales: "de", language: "pt-BR" }, "pt-BR", "Continuar"],
    [{ uiLocales: "fr", title: undefined, button: "Allez" }, "fr", "Allez"],
    [{ language: "nl" }, "nl", "Continue"],
  ])("is in the language of %j", (options, language, label) => {
    const { html } = launchPage(SESSION, options);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`<title>${label}</title>`);
    expect(html).toContain(`<button type="submit">${label}</button>`);
    expect(html).not.toContain("<h1>");
  });

  it("has a heading and a text, if they are set", () => {
    const { html } = launchPage(SESSION, { title: "One moment", text: "We are <opening> the sign-in." });
    expect(html).toContain("<title>One moment</title>");
    expect(html).toContain("<h1>One moment</h1>\n<p>We are &#60;opening&#62; the sign-in.</p>\n<form");
  });

  it("refuses a consent pane for the identity handoff", () => {
    const identity = { ...SESSION, launchUrl: "https://connect.example.com/api/identity/redeem" };
    expect(launchPage(identity).html).toContain("identity/redeem");
    expect(() => launchPage(identity, { consentPane: true })).toThrow("consentPane");
  });

  it("works without scripts, by a button", () => {
    expect(launchPage(SESSION, { button: "Weiter" }).html).toContain('<button type="submit">Weiter</button>');
  });

  it("allows its own script and style by their hashes, and nothing else", () => {
    const { html, headers } = launchPage(SESSION);
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${hashOf("script", html)};`);
    expect(policy).toContain(`style-src ${hashOf("style", html)};`);
    expect(policy).toContain("form-action https:;");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it("sends an origin with the form, is not cached, and declares its content type", () => {
    expect(launchPage(SESSION).headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "strict-origin",
      "cache-control": "no-store",
    });
  });

  it("allows plain http for the form only if the launch URL is plain http", () => {
    const local = launchPage({ ...SESSION, launchUrl: "http://127.0.0.1:4400/api/connect/redeem" });
    expect(local.headers["content-security-policy"]).toContain("form-action http: https:;");
  });

  it("can be converted to a Response", async () => {
    const page = launchPage(SESSION);
    const response = page.toResponse();
    expect(await response.text()).toBe(page.html);
    expect(Object.fromEntries(response.headers)).toEqual(page.headers);
  });

  it("omits its token from all printed output", () => {
    const page = launchPage(SESSION);
    expect(page.html).toContain(SESSION_WIRE.launchToken);
    expectNoneOf([SESSION_WIRE.launchToken], { page, headers: page.headers });
    expect(JSON.stringify(page)).not.toContain(SESSION_WIRE.launchToken);
  });

  it("accepts a token as a string or as a Secret of another copy of the package", () => {
    const text = "0123456789abcdef".repeat(4);
    for (const launchToken of [text, { reveal: () => text }]) {
      expect(launchPage({ ...SESSION, launchToken }).html).toContain(`value="${text}"`);
    }
  });

  it.each([
    ["redacted by JSON", JSON.parse(JSON.stringify(SESSION))],
    ["redacted by a string conversion", { ...SESSION, launchToken: String(SESSION.launchToken) }],
    ["lost by a copy of the session", structuredClone({ ...SESSION, launchToken: {} })],
    ["missing", { ...SESSION, launchToken: undefined }],
    ["empty", { ...SESSION, launchToken: "" }],
    ["not text", { ...SESSION, launchToken: { reveal: () => 7 } }],
    ["of another form", { ...SESSION, launchToken: "a-token" }],
    ["cut", { ...SESSION, launchToken: SESSION_WIRE.launchToken.slice(1) }],
  ])("refuses a token that is %s, and says how to keep a session", (_, session) => {
    const message = /^The session's launchToken is not a token\. .* use exportSession and importSession\.$/;
    expect(() => launchPage(session)).toThrow(message);
    expect(() => launchPage(session)).not.toThrow("a-token");
  });

  it("refuses unknown options with a suggestion", () => {
    const misspelled = { uiLocale: "de" } as unknown as LaunchPageOptions;
    expect(() => launchPage(SESSION, misspelled)).toThrow("Unknown option `uiLocale`. Did you mean `uiLocales`?");
  });

  it.each(["language", "title", "text", "button"])("refuses a value of %s that is not a string", (name) => {
    for (const value of [5, null, ["x"]]) {
      const options = { [name]: value } as LaunchPageOptions;
      expect(() => launchPage(SESSION, options)).toThrow(`${name} must be a string.`);
    }
  });

  it("escapes its title, text and button", () => {
    const evil = `"><script>alert('x')</script>&`;
    const { html } = launchPage(SESSION, { title: evil, text: evil, button: evil, language: evil });
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toContain("&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#38;");
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "/api/connect/redeem", ""])(
    "refuses to post to %s",
    (launchUrl) => {
      expect(() => launchPage({ ...SESSION, launchUrl })).toThrow("launchUrl");
    },
  );
});
