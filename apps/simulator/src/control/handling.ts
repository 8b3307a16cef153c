import { z } from "zod";
import type { Account, Post } from "../accounts/account.ts";
import { type Call, jsonResponse } from "../shared/http.ts";
import { fixturesOf, PROVIDER_KEYS } from "../shared/providerKeys.ts";
import type { World } from "../state/world.ts";

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

export async function withInput<Schema extends z.ZodType>(
  call: Call,
  schema: Schema,
  handle: (input: z.output<Schema>) => Promise<Response> | Response,
): Promise<Response> {
  const text = await call.req.text();
  let body: unknown;
  try {
    body = text === "" ? {} : JSON.parse(text);
  } catch {
    return jsonResponse({ error: "bad_input", message: "The body is not JSON." }, 400);
  }
  const parsed = schema.safeParse(body);
  return parsed.success
    ? handle(parsed.data)
    : jsonResponse({ error: "bad_input", message: z.prettifyError(parsed.error) }, 400);
}

export function showAccount(world: World, account: Account) {
  const grants = world.grants.select(
    (grant) => grant.provider === account.provider && grant.accountName === account.name,
  );
  const { provider, name, accountId, displayName, handle, summary, ordinary, tester } = account;
  return {
    provider,
    name,
    accountId,
    displayName,
    handle,
    summary,
    ordinary,
    tester,
    grants: grants.map(({ id, clientId, scopes, createdAt, ended, uses }) => ({
      ...{ id, clientId, scopes, createdAt, ended },
      uses,
    })),
  };
}

/** A post in the control API, with the URL that users would copy. */
export function showPost(account: Account, post: Post) {
  const { id, publishedAt, form, visibility, title } = post;
  const url = fixturesOf(account.provider).postUrl(post, account.handle);
  return { id, publishedAt: publishedAt.toISOString(), form, visibility, title, url };
}
