import { foreignName, foreignText, foreignUrl } from "@social-connect/domain";
import { describe, expect, test } from "vitest";
import type { ContentObservation, ProviderAccount } from "./contract.ts";
import * as observationsA from "./provider-a/observations.ts";
import { channelListWire, videoListWire } from "./provider-a/wire.ts";
import * as observationsB from "./provider-b/observations.ts";
import { userInfoWire, videosWire } from "./provider-b/wire.ts";
import * as observationsC from "./provider-c/observations.ts";
import { accountWire, mediaWire } from "./provider-c/wire.ts";

/** Each is put into every field that is a string. */
const VALUES: Readonly<Record<string, string>> = {
  javascript: "javascript:alert(1)",
  data: "data:text/html,<script>alert(1)</script>",
  nul: "https://a.example/\0a",
  "lone surrogates": "https://a.example/\ud83d and \udc00",
  overrides: "\u202ehttps://a.example/gnp.exe",
  "200 KB": `https://a.example/${"x".repeat(200_000)}`,
  "line breaks": "a\r\nSet-Cookie: b=c",
  escape: "\u001b[2J\u009b2J",
  "an object's property": "constructor",
};

interface Shown {
  readonly account: ProviderAccount;
  readonly post: ContentObservation;
}

/** What each adapter makes of an account and a post whose fields all have the value. */
const ADAPTERS: Readonly<Record<string, (value: string) => Shown>> = {
  PROVIDER_A: (value) => {
    const thumbnails = { default: { url: value }, medium: { url: value }, high: { url: value } };
    const snippet = { title: value, description: value, customUrl: value, thumbnails, channelId: value };
    const [channel] = channelListWire.parse({ items: [{ id: value, snippet }] }).items;
    const status = { uploadStatus: value, privacyStatus: value };
    const [video] = videoListWire.parse({ items: [{ id: value, snippet, status }] }).items;
    return {
      account: observationsA.toAccount(channel ?? expect.fail(), "id"),
      post: observationsA.toObservation(video ?? expect.fail(), "id", "none"),
    };
  },
  PROVIDER_B: (value) => {
    const names = ["open_id", "display_name", "avatar_url", "username", "bio_description", "profile_deep_link"];
    const fields = ["id", "title", "video_description", "cover_image_url", "share_url"];
    const of = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, value]));
    const { user } = userInfoWire.parse({ data: { user: of(names) } }).data;
    const [video] = videosWire.parse({ data: { videos: [of(fields)] } }).data.videos;
    return {
      account: observationsB.toAccount(user, "id"),
      post: observationsB.toObservation(video ?? expect.fail(), "id", "none"),
    };
  },
  PROVIDER_C: (value) => {
    const names = ["id", "user_id", "username", "name", "biography", "profile_picture_url"];
    const fields = ["id", "caption", "media_type", "permalink", "shortcode", "thumbnail_url"];
    const of = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, value]));
    return {
      account: observationsC.toAccount(accountWire.parse(of(names)), "id"),
      post: observationsC.toObservation(mediaWire.parse(of(fields)), "id", []),
    };
  },
};

const EACH = Object.keys(ADAPTERS).flatMap((provider) => Object.keys(VALUES).map((what) => ({ provider, what })));

describe("every field of an answer", () => {
  test.each(EACH)("of $provider with $what is cleaned, and a link is http or https", ({ provider, what }) => {
    const { account, post } = ADAPTERS[provider]?.(VALUES[what] ?? "") ?? expect.fail();
    for (const name of [account.displayName, account.handle]) expect(name).toBe(foreignName(name));
    for (const text of [account.description, post.title, post.description]) expect(text).toBe(foreignText(text));
    const links = [account.avatarUrl, account.profileUrl, post.canonicalUrl, post.thumbnailUrl];
    for (const link of links) expect(link).toBe(foreignUrl(link));
    expect(["VIDEO", "UNKNOWN"]).toContain(post.kind);
    for (const value of Object.values({ ...account, ...post })) {
      if (typeof value === "string") expect(value.length).toBeLessThanOrEqual(20_000);
    }
  });

  test.each(Object.keys(ADAPTERS))("of %s that is harmless is unchanged", (provider) => {
    const text = "https://a.example/x";
    const { account, post } = ADAPTERS[provider]?.(text) ?? expect.fail();
    expect([account.displayName, account.handle, account.description]).toEqual([text, text, text]);
    expect([account.avatarUrl, post.description]).toEqual([text, text]);
  });
});
