import { Hono } from "hono";
import type { Post } from "../../accounts/account.ts";
import { appScopedIdFor } from "../../accounts/ids.ts";
import { isPublic, recordRead, visibilityFor } from "../../accounts/posts.ts";
import { withFaults } from "../../faults/withFaults.ts";
import { findCaller } from "../../oauth/clientAuthentication.ts";
import { MINUTE_MS } from "../../shared/clock.ts";
import { type App, type AppEnv, bearerToken, type Call, jsonResponse } from "../../shared/http.ts";
import { fixturesOf } from "../../shared/providerKeys.ts";
import type { World } from "../../state/createWorld.ts";
import {
  badParameter,
  endedGrant,
  expiredToken,
  limitReached,
  missingPermission,
  notGranted,
  objectMissing,
  readErrors,
  unknownError,
  unreadableToken,
  usageHeader,
} from "./errors.ts";
import { insightsResponse } from "./insights.ts";
import { type Caller, mediaPage } from "./mediaPage.ts";
import { SCOPE_C_BASIC, SCOPE_C_INSIGHTS } from "./scopes.ts";
import {
  children,
  type FieldRequest,
  graphList,
  MEDIA_FIELDS,
  media,
  parseFields,
  pick,
  USER_FIELDS,
  user,
} from "./shapes.ts";

const PROVIDER = "provider-c";
const USAGE_WAIT_MINUTES = 5;

/** The read API of provider C. `me` and both ids of the account are equivalent. */
export function apiRoutes(world: World): App {
  const app: App = new Hono<AppEnv>();
  app.get("/:id", (call) => {
    const id = call.req.param("id");
    if (/^\d+$/.test(id) && id.startsWith("179"))
      return read(world, call, "media-item", "content", (caller) => mediaItem(world, caller, id));
    return read(world, call, "me", "profile", (caller) => profile(world, caller, id));
  });
  app.get("/:id/media", (call) =>
    read(world, call, "media", "content", (caller) => {
      const id = call.req.param("id");
      return isOwnId(caller, id)
        ? mediaPage(world, caller, readFields(caller, MEDIA_FIELDS, "IGMedia"))
        : objectMissing(id);
    }),
  );
  app.get("/:id/children", (call) =>
    read(world, call, "children", "content", (caller) => {
      const post = ownPost(caller, call.req.param("id"));
      const fields = readFields(caller, MEDIA_FIELDS, "IGMedia");
      if (fields instanceof Response) return fields;
      if (post === undefined) return objectMissing(call.req.param("id"));
      const data = children(post, world.baseUrl()).map((child) => pick(child, fields));
      return jsonResponse({ data }, 200, caller.headers);
    }),
  );
  app.get("/:id/insights", (call) =>
    read(world, call, "insights", "content", (caller) => {
      if (!caller.grant.scopes.includes(SCOPE_C_INSIGHTS)) return notGranted();
      const post = ownPost(caller, call.req.param("id"));
      if (post === undefined) return objectMissing(call.req.param("id"));
      recordRead(caller.grant, caller.account, caller.posts, [post]);
      if (reachesLimit(world, caller)) return limitReached(caller.account.accountId, 1);
      const { brokenInsights, newestPostRefused } = caller.account.script;
      if ((brokenInsights || newestPostRefused) && post === caller.posts.find(isPublic)) {
        return brokenInsights ? unknownError() : objectMissing(post.id);
      }
      return insightsResponse(post, graphList(caller.query, "metric"), world.clock.now(), caller.headers);
    }),
  );
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
  const { pathname: path, searchParams: query } = new URL(call.req.url);
  const accessToken = bearerToken(call) ?? query.get("access_token") ?? "";
  const found = findCaller(world, call, PROVIDER, accessToken);
  if (found === null) return unreadableToken();
  const { grant, account } = found;
  if (grant.ended !== null) return endedGrant(grant, grant.ended.cause);
  if (found.expired) return expiredToken(world.clock.now());
  const used = world.limits.takeCallOfHour(`${grant.clientId} ${account.accountId}`);
  if (used >= 100) return limitReached(account.accountId, USAGE_WAIT_MINUTES);
  if (!grant.scopes.includes(SCOPE_C_BASIC)) return missingPermission();
  const headers = usageHeader(account.accountId, used, 0);
  const facts = { provider: PROVIDER, endpoint, group, account, grant } as const;
  return withFaults(world, call, facts, readErrors(account.accountId), () =>
    handle({ grant, account, posts: world.posts.of(account), accessToken, path, query, headers }),
  );
}

function profile(world: World, caller: Caller, id: string): Response {
  const fields = readFields(caller, USER_FIELDS, "IGUser");
  if (fields instanceof Response) return fields;
  if (!isOwnId(caller, id)) return objectMissing(id);
  const { account, grant, posts } = caller;
  const mediaCount = posts.filter((post) => post.visibility === "public").length;
  const shown = pick(user(account, grant.clientId, mediaCount, world.baseUrl()), fields);
  return jsonResponse(account.script.responseForm === "array-profile" ? { data: [shown] } : shown, 200, caller.headers);
}

function mediaItem(world: World, caller: Caller, id: string): Response {
  const fields = readFields(caller, MEDIA_FIELDS, "IGMedia");
  if (fields instanceof Response) return fields;
  const post = ownPost(caller, id);
  if (post === undefined) return objectMissing(id);
  const { account, grant, posts } = caller;
  const childFields = fields.find((field) => field.name === "children")?.nested ?? [];
  const whole = media(account, post, grant.clientId, world.baseUrl(), world.clock.now(), childFields);
  recordRead(grant, account, posts, [post]);
  return jsonResponse(pick(whole, fields), 200, caller.headers);
}

/** A limit of a minute, once so many posts' insights were read. */
function reachesLimit(world: World, { account, grant }: Caller): boolean {
  const { limitAfterPosts } = account.script;
  if (limitAfterPosts === undefined) return false;
  const { counters } = grant;
  const nowMs = world.clock.now().getTime();
  counters.insights = (counters.insights ?? 0) + 1;
  if (counters.insights > limitAfterPosts) counters.limitEndsMs ??= nowMs + MINUTE_MS;
  world.save();
  return nowMs < (counters.limitEndsMs ?? 0);
}

function ownPost({ grant, account, posts }: Caller, id: string): Post | undefined {
  if (account.script.hidesPostsById) return undefined;
  return posts.find((post) => post.id === id && visibilityFor(grant, account, posts, post) === "public");
}

function isOwnId({ account, grant }: Caller, id: string): boolean {
  return id === "me" || id === account.accountId || id === appScopedIdFor(account.accountId, grant.clientId);
}

function readFields(
  { account, query }: Caller,
  known: ReadonlySet<string>,
  nodeType: string,
): FieldRequest[] | Response {
  const fields = parseFields(graphList(query, "fields") || "id");
  if (fields === null) return badParameter("Syntax error in the parameter fields");
  const { profile, post } = fixturesOf(PROVIDER).refusedFields;
  const refused: readonly unknown[] = account.script.refusesFields ? [profile, post.name] : [];
  const unknown = fields.find(({ name }) => !known.has(name) || refused.includes(name));
  return unknown === undefined
    ? fields
    : badParameter(`Tried accessing nonexisting field (${unknown.name}) on node type (${nodeType})`);
}
