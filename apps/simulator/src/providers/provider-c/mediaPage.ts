import type { Account, Post } from "../../accounts/account.ts";
import { visibilityFor } from "../../accounts/posts.ts";
import { losesList, nextStart, pageOf, rejectsOnce } from "../../faults/listing.ts";
import { jsonResponse } from "../../shared/http.ts";
import type { World } from "../../state/createWorld.ts";
import type { Grant } from "../../state/grants.ts";
import { badParameter, objectMissing, tooMuchData } from "./errors.ts";
import { type FieldRequest, graphList, media, pick } from "./shapes.ts";

const PAGE_DEFAULT = 25;
const PAGE_MAX = 100;
/** The provider lists an account's newest posts only. */
const MAX_LISTED = 10_000;

export interface Caller {
  readonly grant: Grant;
  readonly account: Account;
  readonly posts: readonly Post[];
  readonly accessToken: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Record<string, string>;
}

/** `/me/media`, newest first. The last page has a cursor but no `next`. */
export function mediaPage(world: World, caller: Caller, fields: FieldRequest[] | Response): Response {
  if (fields instanceof Response) return fields;
  const { account, grant, posts, query } = caller;
  const limit = limitOf(query.get("limit"));
  const after = query.get("after");
  if (after !== null && losesList(world, grant, account)) return objectMissing(account.accountId);
  const isRejected = after !== null && rejectsOnce(world, grant, account);
  const start = after === null ? 0 : isRejected ? null : positionAfter(posts, after);
  if (limit === null || start === null)
    return badParameter(limit === null ? "Param limit must be between 1 and 100" : "Invalid cursor");
  if (limit > (account.script.largestPage ?? PAGE_MAX)) return tooMuchData();
  const listed = posts.filter((post) => visibilityFor(grant, account, posts, post) === "public").slice(0, MAX_LISTED);
  const rest = new Set(posts.slice(start));
  const visible = listed.filter((post) => rest.has(post));
  const page = visible.slice(0, limit);
  const from = listed.length - visible.length;
  const childFields = fields.find((field) => field.name === "children")?.nested ?? [];
  const data = pageOf(account, listed, from, limit).map((post) =>
    pick(media(account, post, grant.clientId, world.baseUrl(), world.clock.now(), childFields), fields),
  );
  const first = page[0];
  const last = listed[nextStart(account, from, limit) - 1] ?? page.at(-1);
  if (first === undefined || last === undefined) return jsonResponse({ data }, 200, caller.headers);
  const cursors = { before: cursorFor(first), after: cursorFor(last) };
  const more = visible.length > page.length;
  return jsonResponse(
    { data, paging: { cursors, ...(more && { next: nextPageUrl(world, caller, cursors.after, limit) }) } },
    200,
    caller.headers,
  );
}

/** The URL of the next page contains the caller's token, like the real one, so it must not be stored. */
function nextPageUrl(world: World, { accessToken, path, query }: Caller, after: string, limit: number): string {
  const next = new URL(path, world.providerUrl("provider-c"));
  next.searchParams.set("access_token", accessToken);
  next.searchParams.set("fields", graphList(query, "fields") || "id");
  next.searchParams.set("limit", `${limit}`);
  next.searchParams.set("after", after);
  return next.toString();
}

function limitOf(text: string | null): number | null {
  if (text === null) return PAGE_DEFAULT;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= PAGE_MAX ? limit : null;
}

/** A cursor names a post, not its time: several posts can have the same. */
function cursorFor({ id }: Post): string {
  return Buffer.from(`QVFI:${id}`).toString("base64url");
}

function positionAfter(posts: readonly Post[], cursor: string): number | null {
  const id = /^QVFI:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8"))?.[1];
  const index = posts.findIndex((post) => post.id === id);
  return index < 0 ? null : index + 1;
}
