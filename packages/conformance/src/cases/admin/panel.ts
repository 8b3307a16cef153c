import type { Steps } from "../../context/steps.ts";
import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import type { PanelSession } from "../../target/adminDriver.ts";
import { panelSession } from "./support/credentials.ts";
import { adminRefusal } from "./support/findings.ts";

const QUERY = "{ adminMembers { id } }";

/** A browser's headers to the panel with one change; `null` omits a header. */
const WRONG: Readonly<Record<string, readonly [code: string, headers: Headers]>> = {
  "no-origin": ["FORBIDDEN", { origin: null }],
  "another-origin": ["FORBIDDEN", { origin: "https://evil.example" }],
  "origin-null": ["FORBIDDEN", { origin: "null" }],
  "origin-with-path": ["FORBIDDEN", { origin: ({ origin }) => `${origin}/` }],
  "no-token": ["FORBIDDEN", { "x-csrf-token": null }],
  "wrong-token": ["FORBIDDEN", { "x-csrf-token": "0".repeat(64) }],
  "no-cookie": ["UNAUTHENTICATED", { cookie: null }],
  "wrong-cookie": ["UNAUTHENTICATED", { cookie: ({ cookie }) => cookie.replaceAll(/[0-9a-f]{64}/g, "0".repeat(64)) }],
};

type Headers = Readonly<Record<string, string | null | ((session: PanelSession) => string)>>;

async function post(t: Steps, changed: Headers) {
  const session = await panelSession(t.admin.driver.panel);
  const { origin, cookie, csrfToken, endpoint } = session;
  const headers: Record<string, string> = { origin, cookie, "x-csrf-token": csrfToken };
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) delete headers[name];
    else headers[name] = typeof value === "string" ? value : value(session);
  }
  const path = endpoint.slice(t.admin.driver.adminHost.length);
  return t.admin.caller(t.admin.driver.writeKey).graphql(QUERY, {}, { authorization: null, path, headers });
}

export const PANEL_CASES = defineCasesWith({ needs: ["admin", "panel-session"], application: "none" })({
  ...caseForEach(Object.entries(WRONG), ([name, [code, headers]]) => ({
    id: `S5.admin.panel.${name}`,
    title: `A request to the panel's endpoint that differs from its own pages' (${name}) returns ${code}.`,
    run: async (t) => {
      const answer = await post(t, headers);
      adminRefusal(t, answer, name);
      t.equal(answer.body?.errors?.[0]?.extensions?.code, code, "code");
      t.equal((await post(t, {})).body?.errors, undefined, "a request like its own pages' is answered");
    },
  })),
  "S5.admin.panel.key": {
    title: "The panel's endpoint accepts no key, with or without a session.",
    run: async (t) => {
      const authorization = `Bearer ${t.admin.driver.writeKey}`;
      for (const others of [{}, { cookie: null, "x-csrf-token": null }]) {
        const answer = await post(t, { ...others, authorization });
        adminRefusal(t, answer, "with a key");
        t.equal(answer.body?.errors?.[0]?.extensions?.code, "FORBIDDEN", "code");
      }
    },
  },
});
