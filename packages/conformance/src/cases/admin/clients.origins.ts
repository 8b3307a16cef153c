import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import { refusesArguments } from "./support/findings.ts";

/** Strings that a lax comparison would accept as an origin. `good` is https on a name. */
const BAD_ORIGINS: Readonly<Record<string, (good: string) => string>> = {
  "trailing-slash": (good) => `${good}/`,
  path: (good) => `${good}/a`,
  query: (good) => `${good}?a`,
  fragment: (good) => `${good}#`,
  "default-port": (good) => `${good}:443`,
  "upper-case-host": (good) => good.toUpperCase().replace("HTTPS", "https"),
  "upper-case-scheme": (good) => good.replace("https", "HTTPS"),
  "user-info": (good) => good.replace("://", "://user@"),
  backslash: (good) => good.replace("://", ":\\\\"),
  http: (good) => good.replace("https", "http"),
  "other-scheme": (good) => good.replace("https", "ftp"),
  "no-scheme": (good) => good.replace("https://", ""),
  wildcard: (good) => good.replace("://", "://*."),
  "not-ascii": (good) => good.replace("://", "://ü"),
  "leading-space": (good) => ` ${good}`,
  "line-break": (good) => `${good}\n`,
  "port-too-large": (good) => `${good}:99999`,
  "port-empty": (good) => `${good}:`,
  "ends-with-dot": (good) => `${good}.`,
  null: () => "null",
  empty: () => "",
  javascript: () => "javascript:alert(1)",
  "2000-characters": (good) => good.replace("://", `://${"a.".repeat(1_000)}`),
};

export const ADMIN_ORIGIN_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S4.admin.origins": {
    title: "An origin is added once and removed once; the last origin and one with a return URL stay.",
    run: async (t) => {
      const { id, webOrigins } = await t.admin.client();
      const [used = "", spare = ""] = webOrigins;
      const origin = "https://added.example.test:8444";
      const added = await t.admin.get("addClientOrigin", { id, origin });
      t.equal([...added.webOrigins].sort(), [...webOrigins, origin].sort(), "it is added");
      await t.admin.refuses("addClientOrigin", { id, origin }, "CONFLICT", "ALREADY_PRESENT");
      await t.admin.refuses("removeClientOrigin", { id, origin: used }, "CONFLICT", "ORIGIN_IN_USE");
      await t.admin.refuses("removeClientOrigin", { id, origin: "https://never.example.test" }, "NOT_FOUND");
      await t.admin.refuses("removeClientOrigin", { id, origin: `${origin}/` }, "NOT_FOUND");
      for (const gone of [origin, spare]) await t.admin.get("removeClientOrigin", { id, origin: gone });
      await t.admin.refuses("removeClientOrigin", { id, origin: spare }, "NOT_FOUND");
      await t.admin.refuses("removeClientOrigin", { id, origin: used }, "CONFLICT", "LAST_ORIGIN");
      t.equal((await t.admin.get("adminClient", { id })).webOrigins, [used], "the remaining origins");
    },
  },
  "S4.admin.origins.identity": {
    title: "An origin with an identity return URL stays, too.",
    run: async (t) => {
      const { id, webOrigins } = await t.admin.client();
      const [, spare = ""] = webOrigins;
      await t.admin.inPanel("setClientIdpIdentity", { id, enabled: true, returnUrls: [`${spare}/identity`] });
      await t.admin.refuses("removeClientOrigin", { id, origin: spare }, "CONFLICT", "ORIGIN_IN_USE");
      await t.admin.inPanel("setClientIdpIdentity", { id, enabled: false, returnUrls: [] });
      await t.admin.get("removeClientOrigin", { id, origin: spare });
    },
  },
  ...caseForEach(Object.entries(BAD_ORIGINS), ([name, change]) => ({
    id: `S4.admin.origins.bad-${name}`,
    title: `An invalid origin (${name}) is BAD_USER_INPUT.`,
    run: async (t) => {
      const client = await t.admin.client();
      const good = "https://exact.example.test";
      await refusesArguments(t, "addClientOrigin", { id: client.id, origin: change(good) }, ["origin"]);
      t.equal(await t.admin.get("adminClient", { id: client.id }), client, "nothing changed");
      await t.admin.get("addClientOrigin", { id: client.id, origin: good });
    },
  })),
});
