import { Hono } from "hono";
import { z } from "zod";
import type { Account, Post } from "../../accounts/account.ts";
import { recordRead, visibilityFor } from "../../accounts/posts.ts";
import { losesList, nextStart, pageOf } from "../../faults/listing.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { findCaller } from "../../oauth/clientAuthentication.ts";
import { type App, type AppEnv, bearerToken, type Call, listParameter } from "../../shared/http.ts";
import { jsonText } from "../../shared/jsonText.ts";
import { fixturesOf } from "../../shared/providerKeys.ts";
import type { World } from "../../state/createWorld.ts";
import type { Grant } from "../../state/grants.ts";
import { apiError, READ_ERRORS, success } from "./errors.ts";
import { SCOPE_B_VIDEOS } from "./scopes.ts";
import { pickFields, USER_FIELD_SCOPES, user, VIDEO_FIELDS, video } from "./shapes.ts";

const PROVIDER = "provider-b";
const PAGE_MAX = 20;

interface Caller {
  readonly grant: Grant;
  readonly account: Account;
  readonly posts: readonly Post[];
  readonly fields: readonly string[];
  readonly body: string;
}

/** The read API of provider B, with a limit of 600 calls per minute and endpoint. */
export function apiRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/v2/user/info/", (call) => read(world, call, "user-info", "profile", (caller) => userInfo(world, caller)));
  app.post("/v2/video/list/", (call) =>
    read(world, call, "video-list", "content", (caller) => videoList(world, caller)),
  );
  app.post("/v2/video/query/", (call) =>
    read(world, call, "video-query", "content", (caller) => videoQuery(world, caller)),
  );
  return app;
}

async function read(
  world: World,
  call: Call,
  endpoint: string,
  group: "profile" | "content",
  handle: (caller: Caller) => Response,
): Promise<Response> {
  call.get("trace").endpoint = endpoint;
  const found = findCaller(world, call, PROVIDER, bearerToken(call));
  if (found === null || found.grant.ended !== null || found.expired) return apiError("access_token_invalid");
  const { grant, account } = found;
  if (!world.limits.takeCallOfMinute(`${endpoint} ${grant.clientId}`)) return apiError("rate_limit_exceeded");
  const fields = listParameter(new URL(call.req.url).searchParams, "fields");
  if (fields.length === 0) return apiError("invalid_params", { message: "Fields is required." });
  const { profile, post } = fixturesOf(PROVIDER).refusedFields;
  const isRefused = fields.some((field) => field === profile || field === post.name);
  // The message names no field.
  if (account.script.refusesFields && isRefused) return apiError("invalid_params");
  if (group === "content" && !grant.scopes.includes(SCOPE_B_VIDEOS)) return apiError("scope_not_authorized");
  const body = (await call.req.text()) || "{}";
  const facts = { provider: PROVIDER, endpoint, group, account, grant } as const;
  return withFaults(world, call, facts, READ_ERRORS, () =>
    handle({ grant, account, posts: world.posts.of(account), fields, body }),
  );
}

function userInfo(world: World, { grant, account, posts, fields }: Caller): Response {
  if (fields.some((field) => !Object.hasOwn(USER_FIELD_SCOPES, field)))
    return apiError("invalid_params", { message: "One or more fields is invalid." });
  if (fields.some((field) => !grant.scopes.includes(USER_FIELD_SCOPES[field] ?? "")))
    return apiError("scope_not_authorized");
  const videoCount = posts.filter((post) => post.visibility === "public").length;
  return success({ user: pickFields(user(account, videoCount, world.baseUrl()), fields) });
}

const listBody = z.object({
  cursor: z.number().int().nonnegative().optional(),
  max_count: z.number().int().min(1).max(PAGE_MAX).default(10),
});

/** Public videos, newest first. Private videos are removed from each page, so a page can be short before the end. */
function videoList(world: World, { grant, account, posts, fields, body }: Caller): Response {
  const parsed = jsonText(listBody).safeParse(body);
  if (!parsed.success || fields.some((field) => !VIDEO_FIELDS.has(field))) return apiError("invalid_params");
  const { cursor, max_count: maxCount } = parsed.data;
  const now = world.clock.now();
  const before = cursor === undefined || cursor === 0 ? now.getTime() + 1 : cursor;
  const listed = posts.filter((post) => post.visibility !== "deleted");
  const older = listed.filter((post) => post.publishedAt.getTime() < before);
  const start = listed.length - older.length;
  if (start > 0 && losesList(world, grant, account)) return READ_ERRORS.listNotFound();
  const page = older.slice(0, maxCount);
  const shown = pageOf(account, listed, start, maxCount).filter(
    (post) => visibilityFor(grant, account, posts, post) === "public",
  );
  const last = listed[nextStart(account, start, maxCount) - 1] ?? page.at(-1);
  recordRead(grant, account, posts, shown);
  return success({
    videos: shown.map((post) => pickFields(video(account, post, world.baseUrl(), now), fields)),
    // Also present on the last page: the start of the next one.
    cursor: last?.publishedAt.getTime() ?? Math.min(before, now.getTime()),
    has_more: older.length > page.length,
  });
}

const queryBody = z.object({ filters: z.object({ video_ids: z.array(z.string()).min(1).max(PAGE_MAX) }) });

/** The caller's own public videos by id; others are omitted. */
function videoQuery(world: World, { grant, account, posts, fields, body }: Caller): Response {
  const parsed = jsonText(queryBody).safeParse(body);
  if (!parsed.success || fields.some((field) => !VIDEO_FIELDS.has(field))) return apiError("invalid_params");
  const wanted = new Set(parsed.data.filters.video_ids);
  const found = account.script.hidesPostsById ? [] : posts;
  const shown = found.filter((post) => wanted.has(post.id) && visibilityFor(grant, account, posts, post) === "public");
  recordRead(grant, account, posts, shown);
  const now = world.clock.now();
  return success({ videos: shown.map((post) => pickFields(video(account, post, world.baseUrl(), now), fields)) });
}
