import type { z } from "zod";
import type { Account } from "../accounts/account.ts";
import { createdAccount } from "../accounts/catalogue.ts";
import { SCRIPTS } from "../accounts/scripts.ts";
import { type App, type Call, jsonResponse } from "../shared/http.ts";
import type { SimulatorClient } from "../shared/providerKeys.ts";
import { unguessable } from "../shared/random.ts";
import type { World } from "../state/createWorld.ts";
import type { Grant } from "../state/grants.ts";
import { grantsOf, missing, showAccount, showPost, takes, withAccount } from "./handling.ts";
import {
  endGrantInput,
  publishInput,
  removeAppInput,
  requestDeletionInput,
  tokenInput,
  visibilityInput,
} from "./inputs.ts";

export function accountRoutes(app: App, world: World): void {
  const onAccount = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    handle: (account: Account, input: z.output<Schema>, call: Call) => Promise<Response> | Response,
  ) =>
    takes(app, `/accounts/:provider/:account/${path}`, schema, (input, call) =>
      withAccount(world, call, (account) => handle(account, input, call)),
    );
  app.get("/accounts", (call) => {
    const provider = call.req.query("provider");
    const accounts = world.catalogue.all().filter((account) => provider === undefined || account.provider === provider);
    return jsonResponse({ accounts: accounts.map((account) => showAccount(world, account)) });
  });
  takes(app, "/accounts", createdAccount, (input) => {
    const { script, provider } = input;
    const isKnown = SCRIPTS.some((known) => known.name === script && known.providers.includes(provider));
    if (script !== undefined && !isKnown) return missing("Unknown script for this provider.");
    const account = world.catalogue.create(input);
    world.save();
    return jsonResponse(showAccount(world, account), 201);
  });
  takes(app, "/token", tokenInput, ({ token }) => {
    const found = world.grants.find(token);
    if (found === null) return missing("Unknown token.");
    const { grant, expired } = found;
    const { kind, replacedAt, sends } = found.token;
    return jsonResponse({
      grantId: grant.id,
      kind,
      expired,
      replaced: replacedAt !== null,
      ended: grant.ended,
      ...sends,
    });
  });
  app.get("/accounts/:provider/:account", (call) =>
    withAccount(world, call, (account) => jsonResponse(showAccount(world, account))),
  );
  app.get("/accounts/:provider/:account/posts", (call) =>
    withAccount(world, call, (account) =>
      jsonResponse({ posts: world.posts.of(account).map((post) => showPost(account, post)) }),
    ),
  );
  onAccount("posts", publishInput, (account, input) => {
    const now = world.clock.now();
    if (input.publishedAt !== undefined && Date.parse(input.publishedAt) > now.getTime()) {
      return jsonResponse({ error: "bad_input", message: "publishedAt is in the future." }, 400);
    }
    const post = world.posts.publish(account, {
      key: unguessable(8),
      publishedAt: input.publishedAt ?? new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString(),
      form: input.form ?? world.providers[account.provider].defaultPostForm,
      title: input.title,
      text: input.text,
    });
    world.save();
    return jsonResponse(showPost(account, post), 201);
  });
  onAccount("posts/:post", visibilityInput, (account, { visibility }, call) => {
    const id = call.req.param("post") ?? "";
    if (world.posts.byId(account, id) === undefined) return missing("Unknown post of this account.");
    world.posts.setVisibility(id, visibility);
    world.save();
    return jsonResponse({ id, visibility });
  });
  onAccount("end-grant", endGrantInput, (account, { cause }) => {
    const grants = activeGrants(world, account);
    for (const grant of grants) world.endGrant(grant, cause);
    return jsonResponse({ ended: grants.length });
  });
  onAccount("remove-app", removeAppInput, (account, { at }) => removeApp(world, account, at));
  onAccount("request-deletion", requestDeletionInput, (account, { at }) => requestDeletion(world, account, at));
  app.post("/accounts/:provider/:account/reset-script", (call) =>
    withAccount(world, call, (account) => {
      const grants = activeGrants(world, account);
      for (const grant of grants) grant.counters = {};
      world.save();
      return jsonResponse({ reset: grants.length });
    }),
  );
}

/**
 * Ends the grants issued until `at`, like a user who removes the app, and notifies the applications if the provider does so.
 * A time in the past simulates a delayed notification.
 */
async function removeApp(world: World, account: Account, at: string | undefined): Promise<Response> {
  const removedAt = at === undefined ? world.clock.now() : new Date(at);
  const grants = activeGrants(world, account).filter((grant) => new Date(grant.createdAt) <= removedAt);
  for (const grant of grants) world.endGrant(grant, "removed-app");
  const { reportRemoval } = world.providers[account.provider];
  const notified = reportRemoval ? clientsOf(world, at === undefined ? grants : grantsOf(world, account)) : [];
  const deauthorizations = await Promise.all(
    notified.map(async (client) => ({
      clientId: client.clientId,
      status: (await reportRemoval?.(account, client, removedAt, world.clock.now())) ?? null,
    })),
  );
  return jsonResponse({ ended: grants.length, deauthorizations });
}

/**
 * Asks every application that the user ever allowed to delete the user's data; without one, all of them. Grants stay: a user
 * removes the app before.
 */
async function requestDeletion(world: World, account: Account, at: string | undefined): Promise<Response> {
  const { provider } = account;
  const send = world.providers[provider].requestDeletion;
  if (send === undefined) return missing("This provider sends no data deletion requests.");
  const allowed = clientsOf(world, grantsOf(world, account));
  const asked = allowed.length > 0 ? allowed : world.clients(provider);
  const requests = await Promise.all(
    asked.map(async (client) => {
      const response = await send(account, client, at === undefined ? world.clock.now() : new Date(at));
      return { clientId: client.clientId, status: response?.status ?? null, body: response?.text ?? null };
    }),
  );
  return jsonResponse({ requests });
}

/** The applications of grants that are still registered. */
function clientsOf(world: World, grants: readonly Grant[]): SimulatorClient[] {
  const keys = new Map(grants.map((grant) => [grant.clientId, grant]));
  return [...keys.values()].flatMap(({ provider, clientId }) => world.client(provider, clientId) ?? []);
}

function activeGrants(world: World, account: Account) {
  return grantsOf(world, account).filter((grant) => grant.ended === null);
}
