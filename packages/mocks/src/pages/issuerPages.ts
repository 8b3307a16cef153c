import type { Incoming, Reply } from "../http/exchange.ts";
import { jsonReply, readForm } from "../http/exchange.ts";
import { escapeHtml } from "../http/html.ts";
import { declines, isPersonName, knownPeople } from "../issuer/users.ts";
import { identityCodeKey } from "../providers/codeKey.ts";
import { identityCallback, panelCallback } from "../state/addresses.ts";
import { sha256Hex } from "../util/hash.ts";
import type { World } from "../world/world.ts";
import { badRequest, wantsJson } from "./consentPages.ts";
import { formPage, redirect } from "./pages.ts";

/** `GET {issuer}/authorize`: the page that stands for the identity provider's sign-in. */
export function showSignIn(world: World, request: Incoming): Reply {
  const query = request.url.searchParams;
  const state = query.get("state") ?? "";
  if (query.get("redirect_uri") !== callbackOf(world, state)) {
    return badRequest("The address that the browser is to be sent back to is not the service's.");
  }
  const action = `${world.settings.issuerUrl}/sign-in`;
  const people = knownPeople();
  if (wantsJson(request)) return jsonReply(200, { action, state, people: people.map(({ name }) => name) });
  const choices = people.map(
    ({ name, summary }, index) =>
      `<label><input type="radio" name="person" value="${escapeHtml(name)}"${index === 0 ? " checked" : ""}> ${escapeHtml(name)} <small>${escapeHtml(summary)}</small></label>`,
  );
  const content = `<p>This page stands for the identity provider. Nobody is asked anything outside of this mock.</p>
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="state" value="${escapeHtml(state)}">
<fieldset><legend>Who are you?</legend>${choices.join("")}
<label>Somebody else: <input type="text" name="other" autocomplete="off"></label></fieldset>
<button name="decision" value="deny">Cancel</button><button name="decision" value="allow">Sign in</button></form>`;
  const { origin } = new URL(world.settings.adminHost);
  const targets = [origin, ...[...world.state.applications.values()].flatMap((application) => application.webOrigins)];
  return formPage("Sign in", content, targets);
}

/** `POST {issuer}/sign-in`: the decision, answered with the way back to the service. */
export async function takeSignIn(world: World, request: Incoming): Promise<Reply> {
  const form = await readForm(request);
  const state = form?.get("state") ?? "";
  const decision = form?.get("decision");
  if (form === null || state === "" || (decision !== "allow" && decision !== "deny")) {
    return badRequest("The form needs state, decision (allow or deny) and, to allow, a person.");
  }
  const person = form.get("other")?.trim() || (form.get("person") ?? "");
  const back = (parameters: Record<string, string>) =>
    redirect(`${callbackOf(world, state)}?${new URLSearchParams({ ...parameters, state, iss: issuerNamed(world) })}`);
  if (decision === "deny") return back({ error: "access_denied" });
  if (!isPersonName(person)) return badRequest("There is nobody of that name.");
  if (declines(person)) return back({ error: "access_denied" });
  const code = world.newSecret();
  world.state.providers.identityCodes.set(identityCodeKey(code, state), { person });
  return back({ code });
}

/** Where whoever was sent here with this state goes back to: the identity handoff, or the panel. */
function callbackOf({ state: { panelSignIns }, settings }: World, state: string): string {
  return panelSignIns.has(sha256Hex(state)) ? panelCallback(settings) : identityCallback(settings);
}

/** RFC 9207: the way back says whose answer it is. */
function issuerNamed({ settings, state }: World): string {
  const lies = state.providers.identityLies.includes("wrong-response-issuer");
  return lies ? `${settings.issuerUrl}/another` : settings.issuerUrl;
}
