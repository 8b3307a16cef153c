import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLookupTarget, parseLookupUrl } from "./lookupUrl.ts";

const GOOD: readonly (readonly [SocialProvider, string, { kind: string; value: string }])[] = [
  ...[
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://youtube.com/watch?v=dQw4w9WgXcQ",
    "https://m.youtube.com/watch?v=dQw4w9WgXcQ",
    "https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RDAMVM0123",
    "https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&pp=ygUDYWJj",
    "https://www.youtube.com/watch?list=PL0123&v=dQw4w9WgXcQ&t=42s",
    "https://www.youtube.com/watch/?v=dQw4w9WgXcQ",
    "https://youtu.be/dQw4w9WgXcQ",
    "https://youtu.be/dQw4w9WgXcQ?si=Zm9vYmFy_-",
    "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    "https://www.youtube.com/shorts/dQw4w9WgXcQ/",
    "https://www.youtube.com/live/dQw4w9WgXcQ?feature=share",
    "HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com/watch/dQw4w9WgXcQ",
    "https://www.youtube.com/embed/dQw4w9WgXcQ?start=30",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
    "https://www.youtube.com/v/dQw4w9WgXcQ",
    "https://www.youtube.com/e/dQw4w9WgXcQ",
    "https://youtu.be/shorts/dQw4w9WgXcQ",
    "https://studio.youtube.com/video/dQw4w9WgXcQ/edit",
    "https://studio.youtube.com/video/dQw4w9WgXcQ/analytics/tab-overview/period-default",
  ].map((url) => ["PROVIDER_A", url, { kind: "id", value: "dQw4w9WgXcQ" }] as const),
  ["PROVIDER_A", "https://youtu.be/-_-_-_-_-_-", { kind: "id", value: "-_-_-_-_-_-" }],
  ...[
    "https://www.tiktok.com/@some.one_1/video/70123456789012345678",
    "https://tiktok.com/@some.one_1/video/70123456789012345678",
    "https://m.tiktok.com/@some.one_1/video/70123456789012345678/",
    `https://www.tiktok.com/@MS4wLjABAAAA${"x".repeat(64)}/video/70123456789012345678`,
    "https://www.tiktok.com/@a/video/70123456789012345678?is_from_webapp=1&sender_device=pc&web_id=7",
    "https://www.tiktok.com/@a/video/70123456789012345678?utm_campaign=tt4d_open_api&utm_source=app",
    "https://www.tiktok.com/@some.one_1/photo/70123456789012345678",
    "https://www.tiktok.com/%40some.one_1/photo/70123456789012345678?lang=en",
    "https://www.tiktok.com/@/video/70123456789012345678",
    "https://m.tiktok.com/v/70123456789012345678.html",
    "https://www.tiktok.com/share/video/70123456789012345678",
    "https://m.tiktok.com/i18n/share/video/70123456789012345678/",
    "https://www.tiktok.com/embed/70123456789012345678",
    "https://www.tiktok.com/embed/v2/70123456789012345678",
    "https://www.tiktok.com/player/v1/70123456789012345678?utm_campaign=tt4d_open_api",
    "https://www.tiktok.com/static/profile-video?id=70123456789012345678&hide_author=1",
  ].map((url) => ["PROVIDER_B", url, { kind: "id", value: "70123456789012345678" }] as const),
  ...[
    "https://www.instagram.com/p/CxY_z-12345/",
    "https://instagram.com/p/CxY_z-12345",
    "https://www.instagram.com/reel/CxY_z-12345/?igsh=MWQ1ZGUxMzBkMA==",
    "https://www.instagram.com/tv/CxY_z-12345/",
    "https://www.instagram.com/reels/CxY_z-12345/",
    "https://www.instagram.com/p/CxY_z-12345/?img_index=2",
    "https://WWW.Instagram.com/some.one_1/p/CxY_z-12345/",
    "https://www.instagram.com/some.one_1/reel/CxY_z-12345",
    "https://www.instagram.com/p/CxY_z-12345/embed/",
    "https://www.instagram.com/reel/CxY_z-12345/embed/captioned/",
    "https://instagr.am/p/CxY_z-12345/",
  ].map((url) => ["PROVIDER_C", url, { kind: "shortcode", value: "CxY_z-12345" }] as const),
];

/** Refused although nearly right; the near miss is what the row is about. */
const BAD: readonly (readonly [SocialProvider, string])[] = [
  ...[
    "https://www.youtube.com/watch",
    "https://www.youtube.com/watch?v=",
    "https://www.youtube.com/watch?v=dQw4w9WgXc",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQQ",
    "https://www.youtube.com/watch?v=dQw4w9WgXc%20",
    "https://www.youtube.com/watch?V=dQw4w9WgXcQ",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&v=aaaaaaaaaaa",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&%76=aaaaaaaaaaa",
    "https://www.youtube.com/embed/videoseries?list=PL0123",
    "https://www.youtube.com/embed/live_stream?channel=UC0123",
    "https://studio.youtube.com/channel/dQw4w9WgXcQ",
    "https://www.youtube.com/playlist?list=PL0123&v=dQw4w9WgXcQ",
    "https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3DdQw4w9WgXcQ",
    "https://www.youtube.com/redirect?q=https://youtu.be/dQw4w9WgXcQ",
    "https://www.youtube-nocookie.com/watch?v=dQw4w9WgXcQ",
    "https://youtu.be.evil.example/dQw4w9WgXcQ",
    "https://www.youtube.com/shorts/dQw4w9WgXcQ/extra",
    "https://www.youtube.com/x/../watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com//watch?v=dQw4w9WgXcQ",
    "https://youtu.be/",
    "https://youtu.be/watch?v=dQw4w9WgXcQ",
    "https://evil.example/watch?v=dQw4w9WgXcQ",
    "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
    "https://evilyoutube.com/watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com./watch?v=dQw4w9WgXcQ",
  ].map((url) => ["PROVIDER_A", url] as const),
  ...[
    "https://vm.tiktok.com/ZMabcdef1/",
    "https://vt.tiktok.com/ZMabcdef1/",
    "https://www.tiktok.com/t/ZMabcdef1/",
    "https://www.tiktok.com/some.one/video/7012345678901234567",
    "https://www.tiktok.com/@some.one/video/",
    "https://www.tiktok.com/@some.one/video/abc",
    "https://www.tiktok.com/@some.one/video/7012345678901234567a",
    "https://www.tiktok.com/video/7012345678901234567",
    "https://www.tiktok.com.evil.example/@a/video/7012345678901234567",
    "https://xn--tktok-q4a.com/@a/video/7012345678901234567",
    "https://www.tiktok.com/@some%2Fone/video/7012345678901234567",
  ].map((url) => ["PROVIDER_B", url] as const),
  ...[
    "https://www.instagram.com/p/",
    "https://www.instagram.com/p/abc",
    "https://www.instagram.com/p/CxY.z/",
    "https://www.instagram.com/stories/some.one/3012345678901234567/",
    "https://www.instagram.com/a/b/p/CxY_z-12345/",
    "https://www.instagram.com/P/CxY_z-12345/",
    "https://www.instagram.com/share/p/BAxY_z12345/",
    "https://www.instagram.com/share/reel/BAxY_z12345",
    "https://www.instagram.com/some.one/reels/",
    "https://www.instagram.com/reels/audio/3012345678901234567/",
    "https://instagram.com.evil.example/p/CxY_z-12345/",
  ].map((url) => ["PROVIDER_C", url] as const),
];

test.each(GOOD)("%s: %s names a post", (provider, url, target) => {
  expect(parseLookupUrl(url, provider)).toEqual(target);
});

test.each(BAD)("%s: %s names none", (provider, url) => {
  expect(parseLookupUrl(url, provider)).toMatchObject({ code: "BAD_USER_INPUT" });
});

test.each([
  ["PROVIDER_B", "https://vm.tiktok.com/ZMabcdef1/"],
  ["PROVIDER_B", "https://vt.tiktok.com/ZMabcdef1"],
  ["PROVIDER_B", "https://www.tiktok.com/t/ZMabcdef1/?k=1"],
  ["PROVIDER_C", "https://www.instagram.com/share/p/BAxY_z12345/"],
  ["PROVIDER_C", "https://www.instagram.com/share/BAxY_z12345"],
] as const)("%s: the refusal of the short link %s names the remedy", (provider, url) => {
  expect(parseLookupUrl(url, provider)).toEqual({
    code: "BAD_USER_INPUT",
    message: "`url` is a short link. Open it in a browser and pass the URL of the page that it leads to.",
  });
});

test("a URL of one provider is invalid at the others", () => {
  for (const [owner, url] of GOOD) {
    for (const provider of SOCIAL_PROVIDERS.filter((other) => other !== owner)) {
      expect(parseLookupUrl(url, provider)).toMatchObject({ code: "BAD_USER_INPUT" });
    }
  }
});

describe("a lookup URL", () => {
  const rest = "www.youtube.com/watch?v=dQw4w9WgXcQ";

  test.each([
    ["plain http", `http://${rest}`],
    ["no scheme", `//${rest}`],
    ["another scheme", `ftp://${rest}`],
    ["a user", `https://user@${rest}`],
    ["a user and a password", `https://user:pass@${rest}`],
    ["empty credentials", `https://@${rest}`],
    ["a port", "https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ"],
    ["the default port", "https://www.youtube.com:443/watch?v=dQw4w9WgXcQ"],
    ["an empty port", "https://www.youtube.com:/watch?v=dQw4w9WgXcQ"],
    ["a fragment", `https://${rest}#t=1`],
    ["an empty fragment", `https://${rest}#`],
    ["a space before", ` https://${rest}`],
    ["a line break after", `https://${rest}\n`],
    ["a tab inside", "https://www.youtube.com/wat\tch?v=dQw4w9WgXcQ"],
    ["backslashes", "https:\\\\www.youtube.com\\watch?v=dQw4w9WgXcQ"],
    ["a NUL", `https://${rest}\0`],
    ["letters outside ASCII", `https://${rest}&x=ü`],
    ["an internal address", "https://127.0.0.1/watch?v=dQw4w9WgXcQ"],
    ["a bracketed address", "https://[::1]/watch?v=dQw4w9WgXcQ"],
    ["one slash", `https:/${rest}`],
    ["nothing", ""],
  ])("must not have %s", (_, url) => {
    expect(parseLookupUrl(url, "PROVIDER_A")).toMatchObject({ code: "BAD_USER_INPUT" });
  });

  test.each([
    [2_047, true],
    [2_048, true],
    [2_049, false],
  ])("of %i characters is fine: %s", (length, fine) => {
    const url = `https://${rest}&x=`.padEnd(length, "a");
    expect(isLookupTarget(parseLookupUrl(url, "PROVIDER_A"))).toBe(fine);
  });

  test("quickly returns a target of its alphabet or a refusal for any input", () => {
    const piece = fc.constantFrom(
      "https://",
      "www.youtube.com",
      "/watch",
      "?v=",
      "dQw4w9WgXcQ",
      "/",
      "?",
      "&",
      "@",
      "..",
      "%2e",
      "#",
      "é",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...SOCIAL_PROVIDERS), (url, provider) => {
        const result = parseLookupUrl(url, provider);
        if (isLookupTarget(result)) expect(result.value).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        else expect(result.code).toBe("BAD_USER_INPUT");
      }),
    );
  });
});
