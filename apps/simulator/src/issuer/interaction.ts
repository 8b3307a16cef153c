import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { html, raw } from "hono/html";
import type Provider from "oidc-provider";
import { errorPage, formTargetsFor, pageResponse } from "../pages/page.ts";
import { jsonResponse } from "../shared/http.ts";
import { warn } from "../shared/warn.ts";
import { portrait, USERS, userNamed } from "./users.ts";

type Env = { Bindings: HttpBindings };
const TITLE = "OpenID provider, simulated";

/** The pages of the OpenID provider: `GET` lists the users, `POST` signs in and consents, or denies. */
export function interactionApp(provider: Provider, clients: readonly { clientId: string; name?: string }[]): Hono<Env> {
  const app = new Hono<Env>();

  app.get("/people/:file", (call) => {
    const person = userNamed(call.req.param("file").replace(/\.svg$/, ""));
    if (person === undefined) return call.notFound();
    return new Response(portrait(person), {
      headers: { "content-type": "image/svg+xml", "cross-origin-resource-policy": "cross-origin" },
    });
  });

  app.get("/", () => pageResponse({ title: TITLE, content: html`<h1>${TITLE}</h1>Start in an application.` }));

  app.get("/interaction/:uid", async (call) => {
    const details = await provider.interactionDetails(call.env.incoming, call.env.outgoing);
    const clientId = text(details.params.client_id) ?? "";
    const application = clients.find((client) => client.clientId === clientId)?.name ?? clientId;
    const accept = call.req.header("accept") ?? "";
    if (accept.includes("application/json") && !accept.includes("text/html")) {
      return jsonResponse({
        application,
        people: USERS.map(({ name, displayName, email, summary }) => ({ name, displayName, email, summary })),
      });
    }
    return signInPage({
      application,
      redirectUri: text(details.params.redirect_uri) ?? "",
      scopes: (text(details.params.scope) ?? "").split(" "),
      hint: text(details.params.login_hint),
    });
  });

  app.post("/interaction/:uid", async (call) => {
    const { incoming, outgoing } = call.env;
    const details = await provider.interactionDetails(incoming, outgoing);
    const form = new URLSearchParams(await call.req.text());
    const person = userNamed(form.get("person") ?? "");
    const decision = form.get("decision");
    if (decision !== "deny" && (decision !== "allow" || person === undefined)) {
      return errorPage("invalid_request", "The form is incomplete. Required: decision and, to allow, person.");
    }
    if (decision === "deny" || person === undefined || person.denies) {
      const refused = { error: "access_denied", error_description: "The user declined to sign in." };
      return call.redirect(
        await provider.interactionResult(incoming, outgoing, refused, { mergeWithLastSubmission: false }),
        303,
      );
    }
    const grant = new provider.Grant({ accountId: person.subject, clientId: text(details.params.client_id) ?? "" });
    grant.addOIDCScope(text(details.params.scope) ?? "openid");
    const login = { accountId: person.subject };
    const result = { login, consent: { grantId: await grant.save() }, select_account: {} };
    return call.redirect(
      await provider.interactionResult(incoming, outgoing, result, { mergeWithLastSubmission: false }),
      303,
    );
  });

  app.onError((error) => {
    // The library throws if the sign-in's cookie is missing or the sign-in has expired.
    if (error.name === "SessionNotFound")
      return errorPage("sign_in_gone", "This sign-in has expired or was started in another browser.");
    warn("The issuer's sign-in page failed:", error);
    return errorPage("server_error", "The sign-in page failed.");
  });
  return app;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

interface SignInRequest {
  readonly application: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly hint: string | null;
}

/** The sign-in page: a plain form for sign-in and consent. */
function signInPage(request: SignInRequest): Promise<Response> {
  const selected =
    USERS.find(({ name, email }) => request.hint !== null && (name === request.hint || email === request.hint)) ??
    USERS[0];
  return pageResponse({
    title: `Sign in to ${request.application}`,
    formTargets: formTargetsFor(request.redirectUri),
    content: html`<header><p>${TITLE}</p><h1>Sign in to ${request.application}</h1>
<p>It can read your ${request.scopes.filter((scope) => scope !== "openid").join(" and ") || "identity"}. You will return to ${new URL(request.redirectUri).host}.</p></header>
<form method="post">
<fieldset><legend>User</legend><div class="grid">${USERS.map(
      (
        person,
      ) => html`<label class="choice"><input type="radio" name="person" value="${person.name}" required${person === selected ? raw(" checked") : ""}>
${raw(portrait(person))}<span><strong>${person.displayName}</strong><small>${person.email ?? "no email"}</small><small>${person.summary}</small></span></label>
`,
    )}</div></fieldset>
<div class="actions"><button name="decision" value="deny" formnovalidate>Deny</button><button class="main" name="decision" value="allow">Continue</button></div>
</form>`,
  });
}
