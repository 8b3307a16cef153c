import type { AdminClient } from "../../_generated/adminWire.ts";
import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import { refusesArguments } from "./support/findings.ts";

const BAD_RETURN_URLS: Readonly<Record<string, readonly [rule: string, change: (origin: string) => string]>> = {
  "empty-fragment": ["fragment", (origin) => `${origin}/new#`],
  fragment: ["fragment", (origin) => `${origin}/new#top`],
  "ss-parameter": ["ss-parameter", (origin) => `${origin}/new?ss_status=COMPLETED`],
  "ss-parameter-second": ["ss-parameter", (origin) => `${origin}/new?a=1&ss_session_id=x`],
  "ss-parameter-encoded": ["ss-parameter", (origin) => `${origin}/new?%73s_x=1`],
  "other-host": ["on-origin", () => "https://elsewhere.example.test/new"],
  "other-port": ["on-origin", (origin) => `${origin}:9443/new`],
  "other-scheme": ["on-origin", (origin) => `${origin.replace("https", "http")}/new`],
  "sub-domain": ["on-origin", (origin) => `${origin.replace("://", "://a.")}/new`],
  "longer-host": ["on-origin", (origin) => `${origin}.evil.example/new`],
  "host-behind-at": ["on-origin", (origin) => `${origin}@evil.example/new`],
  "user-info": ["on-origin", (origin) => `${origin.replace("://", "://user:pass@")}/new`],
  backslash: ["on-origin", (origin) => `${origin}\\new`],
  "dot-segment": ["on-origin", (origin) => `${origin}/a/../new`],
  "no-path": ["on-origin", (origin) => origin],
  relative: ["on-origin", () => "/new"],
  javascript: ["on-origin", () => "javascript:alert(1)"],
  empty: ["on-origin", () => ""],
  "leading-space": ["on-origin", (origin) => ` ${origin}/new`],
  "line-break": ["on-origin", (origin) => `${origin}/new\n`],
  "upper-case-host": ["on-origin", (origin) => `${origin.toUpperCase().replace("HTTPS", "https")}/new`],
  "not-ascii": ["on-origin", (origin) => `${origin}/ü`],
  "5000-characters": ["on-origin", (origin) => `${origin}/${"a".repeat(5_000)}`],
};

const originOf = (client: AdminClient) => client.webOrigins[0] ?? "";

export const ADMIN_RETURN_URL_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S4.admin.returnUrls": {
    title:
      "A return URL on one of the client's origins is added once, when confirmed, and removed once; the last stays.",
    reaches: [
      "admin-operation:addClientReturnUrl",
      "admin-operation:removeClientReturnUrl",
      "admin-rule:returnUrl.confirmed",
      "admin-rule:returnUrl.present",
      "admin-rule:returnUrl.missing",
      "admin-rule:returnUrl.last",
      "admin-rule:answers-record",
    ],
    run: async (t) => {
      const client = await t.admin.client();
      const { id } = client;
      const url = `${client.webOrigins[1]}/new?class=a&SS_x=1&boss_=2`;
      for (const confirmedNoOnwardRedirect of [false, null, undefined]) {
        const args = { id, url, confirmedNoOnwardRedirect };
        await refusesArguments(t, "addClientReturnUrl", args, ["confirmed", "url"]);
      }
      const confirmed = { confirmedNoOnwardRedirect: true };
      const added = await t.admin.get("addClientReturnUrl", { id, url, ...confirmed });
      t.equal([...added.returnUrls].sort(), [...client.returnUrls, url].sort(), "it is added");
      await t.admin.refuses("addClientReturnUrl", { id, url, ...confirmed }, "CONFLICT", "ALREADY_PRESENT");
      await t.admin.refuses("removeClientReturnUrl", { id, url: `${url}&` }, "NOT_FOUND");
      await t.admin.get("removeClientReturnUrl", { id, url });
      await t.admin.refuses("removeClientReturnUrl", { id, url }, "NOT_FOUND");
      const [last = "", other = ""] = client.returnUrls;
      await t.admin.get("removeClientReturnUrl", { id, url: other });
      await t.admin.refuses("removeClientReturnUrl", { id, url: last }, "CONFLICT", "LAST_RETURN_URL");
      t.equal((await t.admin.get("adminClient", { id })).returnUrls, [last], "the remaining URLs");
    },
  },
  ...caseForEach(Object.entries(BAD_RETURN_URLS), ([name, [rule, change]]) => ({
    id: `S4.admin.returnUrls.bad-${name}`,
    title: `A return URL that may not be registered (${name}) is BAD_USER_INPUT, for Connect and for the identity sign-in.`,
    reaches: [`admin-rule:returnUrl.${rule}`, "admin-envelope:names-no-field", "admin-type:InvalidInputError"],
    run: async (t) => {
      const client = await t.admin.client();
      const { id } = client;
      const url = change(originOf(client));
      const confirmed = { confirmedNoOnwardRedirect: true };
      await refusesArguments(t, "addClientReturnUrl", { id, url, ...confirmed }, ["url", "Url"]);
      const identity = { id, enabled: true, returnUrls: [url] };
      await t.admin.panelRefuses("setClientIdpIdentity", identity, "InvalidInputError");
      t.equal(await t.admin.get("adminClient", { id }), client, "nothing changed");
      await t.admin.get("addClientReturnUrl", { id, url: `${originOf(client)}/new`, ...confirmed });
    },
  })),
});
