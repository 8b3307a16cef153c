import { describe, expect, test } from "vitest";
import type { ContentObservation, ProviderAccount } from "./contract.ts";
import { parseExactJson } from "./exactJson.ts";
import * as observationsA from "./provider-a/observations.ts";
import { channelListWire, videoListWire } from "./provider-a/wire.ts";
import * as observationsB from "./provider-b/observations.ts";
import { userInfoWire, videosWire } from "./provider-b/wire.ts";
import { metricsWithoutInsights } from "./provider-c/insights.ts";
import * as observationsC from "./provider-c/observations.ts";
import { accountWire, mediaWire } from "./provider-c/wire.ts";

/** A field in one of its forms, in JSON. */
interface Forms {
  readonly id?: string;
  readonly handle?: string;
  readonly likes?: string;
  readonly time?: string;
  readonly picture?: string;
}

interface Shown {
  readonly account: ProviderAccount;
  readonly post: ContentObservation;
}

/** What each adapter makes of an account and a post with these forms. */
const READERS: Readonly<Record<string, (forms: Forms) => Shown>> = {
  PROVIDER_A: ({ id = '"1"', handle = "null", likes = "null", time = "null", picture = "null" }) => {
    const channel = `{"id":${id},"snippet":{"customUrl":${handle},"thumbnails":{"high":{"url":${picture}}}}}`;
    const [account] = channelListWire.parse(parseExactJson(`{"items":[${channel}]}`)).items;
    const video = `{"id":${id},"snippet":{"publishedAt":${time}},"statistics":{"viewCount":"7","likeCount":${likes}}}`;
    const [post] = videoListWire.parse(parseExactJson(`{"items":[${video}]}`)).items;
    return {
      account: observationsA.toAccount(account ?? expect.fail(), account?.id ?? ""),
      post: observationsA.toObservation(post ?? expect.fail(), post?.id ?? "", "ask"),
    };
  },
  PROVIDER_B: ({ id = '"1"', handle = "null", likes = "null", time = "null", picture = "null" }) => {
    const person = `{"open_id":${id},"username":${handle},"avatar_url":${picture}}`;
    const { user } = userInfoWire.parse(parseExactJson(`{"data":{"user":${person}}}`)).data;
    const video = `{"id":${id},"create_time":${time},"like_count":${likes},"view_count":7}`;
    const [post] = videosWire.parse(parseExactJson(`{"data":{"videos":[${video}]}}`)).data.videos;
    return {
      account: observationsB.toAccount(user, user.open_id ?? ""),
      post: observationsB.toObservation(post ?? expect.fail(), post?.id ?? "", "ask"),
    };
  },
  PROVIDER_C: ({ id = '"1"', handle = "null", likes = "null", time = "null", picture = "null" }) => {
    const account = accountWire.parse(
      parseExactJson(`{"user_id":${id},"username":${handle},"profile_picture_url":${picture}}`),
    );
    const media = mediaWire.parse(parseExactJson(`{"id":${id},"timestamp":${time},"like_count":${likes}}`));
    return {
      account: observationsC.toAccount(account, account.user_id ?? ""),
      post: observationsC.toObservation(media, media.id ?? "", metricsWithoutInsights(media)),
    };
  },
};

describe.each(Object.entries(READERS))("%s", (_, read) => {
  test.each([
    ['"UC_x"', "UC_x"],
    ['"17841400000000001"', "17841400000000001"],
    ["17841400000000001", "17841400000000001"],
    ["12345678901234567890", "12345678901234567890"],
    ["123", "123"],
    ['" 123 "', "123"],
  ])("reads the id %s as %s", (id, expected) => {
    const { account, post } = read({ id });
    expect([account.providerAccountId, post.providerContentId]).toEqual([expected, expected]);
  });

  test.each([
    ['"@name"', "name"],
    ['"name"', "name"],
    ['" @name "', "name"],
    ['""', null],
    ['"@"', null],
    ["null", null],
  ])("reads the handle %s as %s", (handle, expected) => {
    const { account } = read({ handle });
    expect(account.handle).toBe(expected);
    expect(account.profileUrl ?? "").not.toMatch(/@|%40/);
  });

  test.each([
    ['"42"', "42"],
    ["42", "42"],
    ["0", "0"],
    ["42.0", "42"],
    ['"42.0"', "42"],
    ["9007199254740993", "9007199254740993"],
    ['"18446744073709551617"', "18446744073709551617"],
    ["-1", null],
    ['"-1"', null],
    ["1.5", null],
    ['"hidden"', null],
    ["null", null],
    ["{}", null],
    ["true", null],
  ])("reads the count %s as %s", (likes, expected) => {
    const metric = read({ likes }).post.metrics.find(({ name }) => name === "LIKES");
    expect(metric?.value).toBe(expected);
    expect(metric?.availability).toBe(expected === null ? "UNAVAILABLE" : "AVAILABLE");
  });

  test.each([
    ['"2021-08-13T08:25:28Z"', "2021-08-13T08:25:28.000Z"],
    ['"2021-08-13T08:25:28.000Z"', "2021-08-13T08:25:28.000Z"],
    ['"2021-08-13T08:25:28+0000"', "2021-08-13T08:25:28.000Z"],
    ['"2021-08-13T10:25:28+02:00"', "2021-08-13T08:25:28.000Z"],
    ["1628843128", "2021-08-13T08:25:28.000Z"],
    ['"1628843128"', "2021-08-13T08:25:28.000Z"],
    ["1628843128000", "2021-08-13T08:25:28.000Z"],
    ['"yesterday"', undefined],
    ["0", undefined],
    ["null", undefined],
  ])("reads the time %s as %s", (time, expected) => {
    expect(read({ time }).post.publishedAt?.toISOString()).toBe(expected);
  });

  test.each([
    ['"https://cdn.example/a.jpg?sig=%2B"', "https://cdn.example/a.jpg?sig=%2B"],
    ['"http://cdn.example/a.jpg"', "http://cdn.example/a.jpg"],
    ['"//cdn.example/a.jpg"', "https://cdn.example/a.jpg"],
    ['" https://cdn.example/a b.jpg "', "https://cdn.example/a%20b.jpg"],
    ['"javascript:alert(1)"', null],
    ['"/a.jpg"', null],
    ['"a.jpg"', null],
    ['"https://www.instagram.com@evil.example/"', null],
    ['""', null],
    ["null", null],
  ])("reads the link %s as %s", (picture, expected) => {
    expect(read({ picture }).account.avatarUrl).toBe(expected);
  });
});
