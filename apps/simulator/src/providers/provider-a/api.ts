import { Hono } from "hono";
import type { Account, Post } from "../../accounts/account.ts";
import { uploadsPlaylistFor } from "../../accounts/ids.ts";
import { isPublic, recordRead, visibilityFor } from "../../accounts/posts.ts";
import { losesList, nextStart, pageOf, rejectsOnce } from "../../faults/listing.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { findCaller } from "../../oauth/clientAuthentication.ts";
import { type App, type AppEnv, bearerToken, type Call, jsonResponse, listParameter } from "../../shared/http.ts";
import { fixturesOf } from "../../shared/providerKeys.ts";
import type { World } from "../../state/createWorld.ts";
import type { Grant } from "../../state/grants.ts";
import {
  badParameter,
  invalidCredentials,
  noFilter,
  playlistNotFound,
  quotaExceeded,
  READ_ERRORS,
  scopeInsufficient,
  videoForbidden,
} from "./errors.ts";
import { SCOPE_A_READ } from "./scopes.ts";
import { channel, playlistItem, video } from "./shapes.ts";

const PROVIDER = "provider-a";
const PAGE_MAX = 50;
const PAGE_DEFAULT = 5;
const IDS_MAX = 50;

interface Caller {
  readonly grant: Grant;
  readonly account: Account;
  readonly posts: readonly Post[];
  readonly parts: ReadonlySet<string>;
  readonly query: URLSearchParams;
}

/** The read API of provider A. Every call costs a unit of the application's daily quota, also if it fails. */
export function apiRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/youtube/v3/channels", (call) =>
    read(world, call, "channels", "profile", (caller) => channels(world, caller)),
  );
  app.get("/youtube/v3/playlistItems", (call) =>
    read(world, call, "playlistItems", "content", (caller) => playlistItems(world, caller)),
  );
  app.get("/youtube/v3/videos", (call) => read(world, call, "videos", "content", (caller) => videos(world, caller)));
  return app;
}

function read(
  world: World,
  call: Call,
  endpoint: string,
  group: "profile" | "content",
  handle: (caller: Caller) => Response,
): Promise<Response> | Response {
  call.get("trace").endpoint = endpoint;
  const found = findCaller(world, call, PROVIDER, bearerToken(call));
  if (found === null || found.grant.ended !== null || found.expired) return invalidCredentials();
  const { grant, account } = found;
  if (!world.limits.takeUnit(grant.clientId)) return quotaExceeded();
  if (!grant.scopes.includes(SCOPE_A_READ)) return scopeInsufficient();
  const query = new URL(call.req.url).searchParams;
  const parts = new Set(listParameter(query, "part"));
  if (parts.size === 0) return noFilter("part", "part");
  const refused = fixturesOf(PROVIDER).refusedFields.post.name;
  if (account.script.refusesFields && parts.has(refused)) return badParameter("part", "unknownPart", `'${refused}'`);
  const facts = { provider: PROVIDER, endpoint, group, account, grant } as const;
  return withFaults(world, call, facts, READ_ERRORS, () =>
    handle({ grant, account, posts: world.posts.of(account), parts, query }),
  );
}

function channels(world: World, { account, posts, parts, query }: Caller): Response {
  if (query.get("mine") !== "true") return noFilter("mine");
  const items = account.script.hasChannel === false ? [] : [channel(account, parts, world.baseUrl(), posts.length)];
  // `items` is absent for a user without a channel.
  return jsonResponse({
    kind: "youtube#channelListResponse",
    etag: "cHanNeLLiStEtAgaaaaaaaaaaaa",
    pageInfo: { totalResults: items.length, resultsPerPage: PAGE_DEFAULT },
    ...(items.length > 0 && { items }),
  });
}

function playlistItems(world: World, caller: Caller): Response {
  const { grant, account, parts, query } = caller;
  const playlistId = query.get("playlistId");
  if (playlistId === null) return noFilter("playlistId");
  const size = pageSize(query.get("maxResults"));
  if (size === null)
    return badParameter(
      "maxResults",
      "invalidParameter",
      "Invalid value for maxResults. Values must be within the range: [0, 50]",
    );
  const uploads = uploadsOf(world, caller, playlistId);
  if (uploads === null) return playlistNotFound();
  const { owner, visible } = uploads;
  const offset = offsetOf(query.get("pageToken"));
  if (offset !== null && offset > 0 && losesList(world, grant, account)) return playlistNotFound();
  const isRejected = offset !== null && offset > 0 && rejectsOnce(world, grant, account);
  if (offset === null || offset > visible.length || isRejected) {
    return badParameter("pageToken", "invalidPageToken", "The request specifies an invalid page token.");
  }
  const items = pageOf(account, visible, offset, size).map(({ post, visibility }, index) =>
    playlistItem(owner, post, offset + index, visibility, parts, world.baseUrl()),
  );
  return jsonResponse({
    ...{ kind: "youtube#playlistItemListResponse", etag: "pLaYlIsTiTeMsEtAgaaaaaaaaaa" },
    ...(size > 0 && offset + size < visible.length && { nextPageToken: pageToken(nextStart(account, offset, size)) }),
    ...(offset > 0 && { prevPageToken: pageToken(Math.max(0, offset - size)) }),
    items,
    pageInfo: { totalResults: visible.length, resultsPerPage: size },
  });
}

/** The uploads that the caller may see. A channel without uploads has no uploads playlist. */
function uploadsOf(world: World, { grant, account, posts }: Caller, playlistId: string) {
  const owner = world.catalogue
    .all(PROVIDER)
    .find((candidate) => uploadsPlaylistFor(candidate.accountId) === playlistId);
  if (owner === undefined) return null;
  const all = owner === account ? posts : world.posts.of(owner);
  if (all.length === 0) return null;
  const visible = all
    .map((post) => ({
      post,
      visibility: owner === account ? visibilityFor(grant, account, posts, post) : post.visibility,
    }))
    .filter(({ visibility }) => owner === account || visibility === "public");
  return { owner, visible };
}

/** Videos of any channel by id. Deleted videos and private videos of other users are omitted. */
function videos(world: World, { grant, account, posts, parts, query }: Caller): Response {
  const ids = listParameter(query, "id");
  if (ids.length === 0) return noFilter("id, myRating, chart");
  if (ids.length > IDS_MAX) return badParameter("id", "invalidParameter", "The request specifies too many ids.");
  const found = [...new Set(ids)].flatMap((id) => {
    const own = posts.find((post) => post.id === id);
    if (own !== undefined)
      return [{ owner: account, post: own, visibility: visibilityFor(grant, account, posts, own) }];
    return world.catalogue.all(PROVIDER).flatMap((owner) => {
      const post = world.posts.byId(owner, id);
      return post === undefined || post.visibility === "private" ? [] : [{ owner, post, visibility: post.visibility }];
    });
  });
  if (account.script.newestPostRefused && found.some(({ post }) => post === posts.find(isPublic)))
    return videoForbidden();
  const shown = found.filter(({ visibility }) => visibility !== "deleted");
  const items = shown.map(({ owner, post, visibility }) =>
    video(owner, post, visibility, parts, world.baseUrl(), world.clock.now()),
  );
  const read = shown.map(({ post }) => post);
  recordRead(grant, account, posts, read);
  const pageInfo = { totalResults: items.length, resultsPerPage: items.length };
  return jsonResponse({ kind: "youtube#videoListResponse", etag: "vIdEoLiStEtAgaaaaaaaaaaaaaa", items, pageInfo });
}

function pageSize(text: string | null): number | null {
  if (text === null) return PAGE_DEFAULT;
  const size = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return size <= PAGE_MAX ? size : null;
}

function pageToken(offset: number): string {
  return `EAAa${Buffer.from(`PT:${offset}`).toString("base64url")}`;
}

function offsetOf(token: string | null): number | null {
  if (token === null || token === "") return 0;
  const text = token.startsWith("EAAa") ? Buffer.from(token.slice(4), "base64url").toString("utf8") : "";
  const digits = /^PT:(\d{1,6})$/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
