import { type Incoming, jsonReply, type Reply, readForm, wantsJson } from "../http/exchange.ts";
import { isUserName, listUsers, signInIsDenied } from "../issuer/users.ts";
import { identityCodeKey } from "../providers/scopes.ts";
import { ISSUER_PATH, identityCallback } from "../state/addresses.ts";
import type { World } from "../world/world.ts";
import { badRequest, formPage, html, radioChoice, redirect } from "./pages.ts";

/** `GET {issuer}/authorize`: the sign-in page of the identity provider. */
export function showSignIn(world: World, request: Incoming): Reply {
  const query = request.url.searchParams;
  const state = query.get("state") ?? "";
  if (query.get("redirect_uri") !== identityCallback(world.settings)) {
    return badRequest("redirect_uri is not the callback of this service.");
  }
  const action = `${world.settings.connectHost}${ISSUER_PATH}/sign-in`;
  const users = listUsers();
  if (wantsJson(request)) return jsonReply(200, { action, state, people: users.map(({ name }) => name) });
  const choices = users.map(({ name, summary }, index) => radioChoice("person", name, summary, index));
  const content = html`<p>This page simulates the identity provider. No data leaves the mock.</p>
<form method="post" action="${action}"><input type="hidden" name="state" value="${state}">
<fieldset><legend>User</legend>${choices}
<label>Another user: <input type="text" name="other" autocomplete="off"></label></fieldset>
<button name="decision" value="deny">Cancel</button><button name="decision" value="allow">Sign in</button></form>`;
  const targets = [...world.state.applications.values()].flatMap((application) => application.webOrigins);
  return formPage("Sign in", content, targets);
}

/** `POST {issuer}/sign-in`: the decision; redirects to the service's callback. */
export async function takeSignIn(world: World, request: Incoming): Promise<Reply> {
  const form = await readForm(request);
  const state = form?.get("state") ?? "";
  const decision = form?.get("decision");
  if (form === null || state === "" || (decision !== "allow" && decision !== "deny")) {
    return badRequest("The form needs state, decision (allow or deny) and, to allow, a person.");
  }
  const user = form.get("other")?.trim() || (form.get("person") ?? "");
  const redirectBack = (parameters: Record<string, string>) => {
    const query = new URLSearchParams({ ...parameters, state, iss: issuerNamed(world) });
    return redirect(`${identityCallback(world.settings)}?${query}`);
  };
  if (decision === "deny") return redirectBack({ error: "access_denied" });
  if (!isUserName(user)) return badRequest("This is not a valid user name.");
  if (signInIsDenied(user)) return redirectBack({ error: "access_denied" });
  const code = world.newSecret();
  world.state.providers.identityCodes.set(identityCodeKey(code, state), { person: user });
  return redirectBack({ code });
}

/** The `iss` parameter of the redirect (RFC 9207). */
function issuerNamed({ settings, state }: World): string {
  const isWrong = state.providers.issuerFaults.includes("wrong-response-issuer");
  return isWrong ? `${settings.issuerUrl}/another` : settings.issuerUrl;
}
