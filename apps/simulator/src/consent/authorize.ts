import { grantedScopes } from "@social-connect/provider-fixtures";
import { Hono } from "hono";
import type { Account } from "../accounts/account.ts";
import { type RequestFormat, readAuthorizationRequest, withParameters } from "../oauth/authorizationRequest.ts";
import { errorPage } from "../pages/page.ts";
import type { App, AppEnv } from "../shared/http.ts";
import type { ConsentRequest } from "../state/consentRequests.ts";
import type { World } from "../state/createWorld.ts";
import { consentRoutes, type Decision, showConsent } from "./routes.ts";
import { signedInAccount } from "./session.ts";

type RedirectParameters = Readonly<Record<string, string | null>>;

/** The differences between the providers' authorization endpoints. */
export interface AuthorizationRules extends RequestFormat {
  /** Whether the request makes the provider offer every account to a person who is signed in with one. */
  choosesAccount(parameter: (name: string) => string | null): boolean;
  /** Whether a person who is signed in is redirected without a page, unless the request lets them choose. */
  readonly skipsPage?: true;
  readonly codeLifetimeMs: number;
  newCode(): string;
  /** Why these scopes cannot be requested; null if they can. */
  invalidScopes(requested: readonly string[], unknown: readonly string[]): string | null;
  /** Parameters with which an error returns to the application; absent if the provider shows errors to the user. */
  redirectedError?(error: string): RedirectParameters;
  /** Whether a code may be exchanged for a refresh token; default: true. */
  allowsRefreshToken?(world: World, request: ConsentRequest, account: Account): boolean;
  /** Parameters of the redirects to the application. */
  allowed(request: ConsentRequest, code: string, scopes: readonly string[]): RedirectParameters;
  readonly denied: RedirectParameters;
  failed(error: string): RedirectParameters;
  /** Appended to the redirect with a code. */
  readonly fragment?: string;
}

export function authorizationRoutes(world: World, rules: AuthorizationRules): App {
  const { provider } = rules;
  const { paths, scopeRules } = world.providers[provider];
  const app: App = new Hono<AppEnv>();
  // Some clients omit the trailing slash of a documented path.
  const addresses = new Set([paths.authorization, paths.authorization.replace(/\/$/, "")]);
  const locate = (request: ConsentRequest, { account, scopes }: Decision): string => {
    const { client, redirectUri, state, codeChallenge } = request;
    if (account === undefined || account.script.consent === "deny")
      return withParameters(redirectUri, { ...rules.denied, state });
    if (account.script.consent === "provider-error")
      return withParameters(redirectUri, { ...rules.failed("server_error"), state });
    const granted = grantedScopes(scopeRules, account.script, request.scopes, scopes);
    const offline = rules.allowsRefreshToken?.(world, request, account) ?? true;
    const { clientId } = client;
    const contents = {
      provider,
      clientId,
      redirectUri,
      accountName: account.name,
      scopes: granted,
      codeChallenge,
      offline,
    };
    const code = rules.newCode();
    world.codes.store(code, contents, rules.codeLifetimeMs);
    return withParameters(redirectUri, rules.allowed(request, code, granted)) + (rules.fragment ?? "");
  };
  app.on("GET", [...addresses], (call) => {
    call.get("trace").endpoint = "authorize";
    const read = readAuthorizationRequest(world, call, rules);
    const refuse = (
      error: string,
      explanation: string,
      target: Pick<ConsentRequest, "redirectUri" | "state"> | null,
    ) =>
      target === null || rules.redirectedError === undefined
        ? errorPage(error, explanation)
        : call.redirect(withParameters(target.redirectUri, { ...rules.redirectedError(error), state: target.state }));
    if ("refusal" in read) return refuse(read.refusal.error, read.refusal.explanation, read.refusal.redirectTarget);
    const { parameter, ...request } = read.request;
    const unknown = request.scopes.filter((scope) => !Object.hasOwn(scopeRules.labels, scope));
    const invalid = rules.invalidScopes(request.scopes, unknown);
    if (invalid !== null) return refuse("invalid_scope", invalid, request);
    const signedIn = rules.choosesAccount(parameter) ? undefined : signedInAccount(world, call, provider);
    const opened = world.consentRequests.open({
      ...request,
      provider,
      offline: parameter("access_type") === "offline",
      promptConsent: (parameter("prompt") ?? "").split(" ").includes("consent"),
      hint: parameter("login_hint"),
      signedInAs: signedIn?.name ?? null,
    });
    if (signedIn === undefined || !rules.skipsPage) return showConsent(world, call, opened);
    world.consentRequests.take(opened.id);
    return call.redirect(locate(opened, { account: signedIn, scopes: opened.scopes }));
  });
  app.route("/", consentRoutes(world, provider, locate));
  return app;
}
