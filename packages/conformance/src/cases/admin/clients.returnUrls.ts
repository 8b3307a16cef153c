import type { AdminClient } from "../../_generated/adminWire.ts";
import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import { refusesArguments } from "./support/findings.ts";

const BAD_RETURN_URLS: Readonly<Record<string, (origin: string) => string>> = {
  "empty-fragment": (origin) => `${origin}/new#`,
  fragment: (origin) => `${origin}/new#top`,
  "ss-parameter": (origin) => `${origin}/new?ss_status=COMPLETED`,
  "ss-parameter-second": (origin) => `${origin}/new?a=1&ss_session_id=x`,
  "ss-parameter-encoded": (origin) => `${origin}/new?%73s_x=1`,
  "other-host": () => "https://elsewhere.example.test/new",
  "other-port": (origin) => `${origin}:9443/new`,
  "other-scheme": (origin) => `${origin.replace("https", "http")}/new`,
  "sub-domain": (origin) => `${origin.replace("://", "://a.")}/new`,
  "longer-host": (origin) => `${origin}.evil.example/new`,
  "host-behind-at": (origin) => `${origin}@evil.example/new`,
  "user-info": (origin) => `${origin.replace("://", "://user:pass@")}/new`,
  backslash: (origin) => `${origin}\\new`,
  "dot-segment": (origin) => `${origin}/a/../new`,
  "no-path": (origin) => origin,
  relative: () => "/new",
  javascript: () => "javascript:alert(1)",
  empty: () => "",
  "leading-space": (origin) => ` ${origin}/new`,
  "line-break": (origin) => `${origin}/new\n`,
  "upper-case-host": (origin) => `${origin.toUpperCase().replace("HTTPS", "https")}/new`,
  "not-ascii": (origin) => `${origin}/ü`,
  "5000-characters": (origin) => `${origin}/${"a".repeat(5_000)}`,
};

const originOf = (client: AdminClient) => client.webOrigins[0] ?? "";

export const ADMIN_RETURN_URL_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S4.admin.returnUrls": {
    title:
      "A return URL on one of the client's origins is added once, when confirmed, and removed once; the last stays.",
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
  ...caseForEach(Object.entries(BAD_RETURN_URLS), ([name, change]) => ({
    id: `S4.admin.returnUrls.bad-${name}`,
    title: `A return URL that may not be registered (${name}) is BAD_USER_INPUT, for Connect and for the identity sign-in.`,
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
