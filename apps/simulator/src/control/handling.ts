import { z } from "zod";
import type { Account, Post } from "../accounts/account.ts";
import { type App, type Call, jsonResponse } from "../shared/http.ts";
import { jsonText } from "../shared/jsonText.ts";
import { fixturesOf, PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";

export function missing(message: string): Response {
  return jsonResponse({ error: "not_found", message }, 404);
}

export function withAccount(
  world: World,
  call: Call,
  handle: (account: Account) => Promise<Response> | Response,
): Promise<Response> | Response {
  const provider = PROVIDER_KEYS.find((key) => key === call.req.param("provider"));
  const account = provider && world.catalogue.byName(provider, call.req.param("account") ?? "");
  return account === undefined ? missing("Unknown test account.") : handle(account);
}

/** A POST route with a JSON body of a schema. */
export function takes<Schema extends z.ZodType>(
  app: App,
  path: string,
  schema: Schema,
  handle: (input: z.output<Schema>, call: Call) => Promise<Response> | Response,
): void {
  app.post(path, async (call) => {
    const parsed = jsonText(schema).safeParse((await call.req.text()) || "{}");
    if (parsed.success) return handle(parsed.data as z.output<Schema>, call);
    return jsonResponse({ error: "bad_input", message: z.prettifyError(parsed.error) }, 400);
  });
}

export function grantsOf(world: World, account: Account) {
  return world.grants.select((grant) => grant.provider === account.provider && grant.accountName === account.name);
}

export function showAccount(world: World, account: Account) {
  const { provider, name, accountId, displayName, handle, summary, ordinary, tester } = account;
  return {
    ...{ provider, name, accountId, displayName, handle, summary, ordinary, tester },
    grants: grantsOf(world, account).map(({ id, clientId, scopes, createdAt, ended, uses }) => {
      return { id, clientId, scopes, createdAt, ended, uses };
    }),
  };
}

/** A post in the control API, with the URL that users would copy. */
export function showPost(account: Account, post: Post) {
  const { id, publishedAt, form, visibility, title } = post;
  const url = fixturesOf(account.provider).postUrl(post, account.handle);
  return { id, publishedAt: publishedAt.toISOString(), form, visibility, title, url };
}
