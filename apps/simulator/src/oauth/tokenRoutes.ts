import { Hono } from "hono";
import type { Account } from "../accounts/account.ts";
import { type CallFacts, type ErrorForms, withFaults } from "../faults/withFaults.ts";
import { type App, type AppEnv, type Call, readForm } from "../shared/http.ts";
import type { ProviderKey, SimulatorClient } from "../shared/providerKeys.ts";
import type { Redemption } from "../state/codes.ts";
import type { World } from "../state/createWorld.ts";
import type { FoundToken, Grant } from "../state/grants.ts";
import { authenticateClient, type ClientFields } from "./clientAuthentication.ts";

type Form = ReadonlyMap<string, string>;

/** Why a token endpoint rejects a request. `refused`: by the account's script. */
export type TokenRefusal =
  | "bad-form"
  | "bad-credentials"
  | "bad-grant-type"
  | Exclude<Redemption["outcome"], "good">
  | "refused"
  | "unknown-refresh-token"
  | "ended-refresh-token";

/** The differences between the providers' token endpoints. */
export interface TokenRules {
  readonly provider: ProviderKey;
  readonly client: ClientFields;
  /** The encoding of the PKCE hash; null: the provider does not support PKCE and ignores a verifier. */
  readonly challengeEncoding: "base64url" | "hex" | null;
  /** Which refreshes replace the refresh token; null: the endpoint does not refresh. */
  readonly replacesRefreshToken: "always" | "if-scripted" | null;
  readonly errors: ErrorForms;
  refuse(reason: TokenRefusal, form: Form | null): Response;
  /** When a new grant's refresh token expires; null or absent if never. */
  refreshExpiresAt?(world: World, account: Account): Date | null;
  /** Issues the tokens of a grant and returns them. */
  issue(world: World, grant: Grant, account: Account, withRefreshToken: boolean): Response;
}

/** The code exchange of a provider, and its refresh. */
export function tokenRoutes(world: World, rules: TokenRules): App {
  const app: App = new Hono<AppEnv>();
  app.post(world.providers[rules.provider].paths.token, async (call) => {
    call.get("trace").endpoint = "token";
    const form = await readForm(call);
    if (form === null) return rules.refuse("bad-form", form);
    const client = authenticateClient(world, call, rules.provider, form, rules.client);
    if (client === null) return rules.refuse("bad-credentials", form);
    const grantType = form.get("grant_type");
    if (grantType === "authorization_code") return exchange(world, call, client, form, rules);
    if (grantType !== "refresh_token" || rules.replacesRefreshToken === null)
      return rules.refuse("bad-grant-type", form);
    const value = form.get("refresh_token") ?? "";
    const found = world.grants.find(value);
    return countRefresh(world, call, { found, rules }, () =>
      refresh(world, call, client, { form, value, found }, rules),
    );
  });
  return app;
}

function exchange(world: World, call: Call, client: SimulatorClient, form: Form, rules: TokenRules): Promise<Response> {
  const { provider } = rules;
  const code = form.get("code") ?? "";
  const name = world.codes.accountNameOf(code, provider);
  const account = name === undefined ? undefined : world.catalogue.byName(provider, name);
  const facts: CallFacts = { provider, endpoint: "token", group: "sign-in", account };
  return withFaults(world, call, facts, rules.errors, () => {
    const redemption = world.codes.redeem(code, {
      provider,
      clientId: client.clientId,
      redirectUri: form.get("redirect_uri") ?? null,
      codeVerifier: rules.challengeEncoding === null ? null : (form.get("code_verifier") ?? null),
      challengeEncoding: rules.challengeEncoding ?? "base64url",
    });
    if (redemption.outcome === "used" && redemption.grant !== null) world.endGrant(redemption.grant, "code-reused");
    if (redemption.outcome !== "good") return rules.refuse(redemption.outcome, form);
    if (account === undefined) return rules.refuse("unknown", form);
    if (account.script.exchange === "refused") return rules.refuse("refused", form);
    if (account.script.exchange === "unavailable") return rules.errors.unavailable(503);
    const grant = world.grants.create({
      provider,
      clientId: client.clientId,
      accountName: account.name,
      personKey: account.personKey,
      scopes: redemption.contents.scopes,
      refreshExpiresAt: rules.refreshExpiresAt?.(world, account)?.toISOString() ?? null,
    });
    redemption.use(grant);
    return rules.issue(world, grant, account, redemption.contents.offline);
  });
}

interface RefreshRequest {
  readonly form: Form;
  readonly value: string;
  readonly found: FoundToken | null;
}

function refresh(
  world: World,
  call: Call,
  client: SimulatorClient,
  { form, value, found }: RefreshRequest,
  rules: TokenRules,
): Promise<Response> {
  const isOwn =
    found !== null &&
    found.grant.provider === rules.provider &&
    found.token.kind === "refresh" &&
    found.grant.clientId === client.clientId;
  const grant = isOwn ? found.grant : undefined;
  const account = grant && world.accountOf(grant);
  const facts: CallFacts = { provider: rules.provider, endpoint: "refresh", group: "refresh", account, grant };
  return withFaults(world, call, facts, rules.errors, () => {
    if (found === null) return rules.refuse("unknown-refresh-token", form);
    const refused = found.expired || account?.script.refresh === "refused";
    if (grant === undefined || account === undefined || grant.ended !== null || refused) {
      return rules.refuse("ended-refresh-token", form);
    }
    const rotates = account.script.refresh === "rotates";
    if (found.token.replacedAt !== null) {
      if (rotates) world.endGrant(grant, "refresh-reused");
      return rules.refuse("ended-refresh-token", form);
    }
    const replaces = rotates || rules.replacesRefreshToken === "always";
    if (replaces) world.grants.replace(value);
    return rules.issue(world, grant, account, replaces);
  });
}

/** Number of refreshes in progress, by grant. */
const inProgress = new WeakMap<World, Map<string, number>>();

/**
 * Counts a grant's refreshes, concurrent refreshes, and refreshes with a replaced token. Where each refresh replaces the
 * token, also blind ones: an earlier request with the same token was not refused, so the client may have used it up.
 */
async function countRefresh(
  world: World,
  call: Call,
  { found, rules }: { readonly found: FoundToken | null; readonly rules: TokenRules },
  handle: () => Promise<Response>,
): Promise<Response> {
  if (found === null) return handle();
  const { id, uses } = found.grant;
  const { sends } = found.token;
  const isReplaced =
    rules.replacesRefreshToken === "always" || world.accountOf(found.grant)?.script.refresh === "rotates";
  if (isReplaced && sends.received > sends.refused) uses.blindRefreshes += 1;
  sends.received += 1;
  const running = inProgress.get(world) ?? new Map<string, number>();
  inProgress.set(world, running);
  const others = running.get(id) ?? 0;
  uses.refreshes += 1;
  if (others > 0) uses.overlappingRefreshes += 1;
  if (found.token.replacedAt !== null) uses.replayedRefreshes += 1;
  running.set(id, others + 1);
  try {
    const response = await handle();
    if ((await isRefusal(response)) && !call.env.outgoing.destroyed) sends.refused += 1;
    return response;
  } finally {
    running.set(id, (running.get(id) ?? 1) - 1);
  }
}

/** An error by its status or, as some providers answer, by the body of a 200. */
async function isRefusal(response: Response): Promise<boolean> {
  if (!response.ok) return true;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
}
