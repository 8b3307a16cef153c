import { caseForEach, defineCases } from "../../harness/defineCase.ts";
import { MALFORMED_KEYS } from "../support/malformedKeys.ts";
import { partsOf } from "./support/credentials.ts";
import { adminRefusal, shapeOf } from "./support/findings.ts";

/** The same, for the part of a key that only an admin's has. */
const MALFORMED_PREFIXES: typeof MALFORMED_KEYS = {
  "no-prefix": ({ id, secret }) => `Bearer ${id}.${secret}`,
  "upper-case-prefix": ({ start, id, secret }) => `Bearer ${start.toUpperCase()}${id}.${secret}`,
  "hyphen-after-prefix": ({ start, id, secret }) => `Bearer ${start.replace("_", "-")}${id}.${secret}`,
  "upper-case-secret": ({ start, id, secret }) => `Bearer ${start}${id}.${secret.slice(0, -1).toUpperCase()}A`,
};

/** The names of shared ones in the ids of this API. */
const NAMES: Readonly<Record<string, string>> = {
  "secret-63": "short-secret",
  "secret-65": "long-secret",
  "id-without-dashes": "id-without-hyphens",
  "comma-separated": "behind-a-comma",
  "very-long": "4000-characters",
};

export const ADMIN_KEY_SHAPE_CASES = defineCases({
  ...caseForEach(Object.entries({ ...MALFORMED_KEYS, ...MALFORMED_PREFIXES }), ([name, write]) => ({
    id: `S5.admin.shape.${NAMES[name] ?? name}`,
    title: `A malformed Authorization header (${name}) is UNAUTHENTICATED.`,
    readSafe: true,
    needs: ["admin"],
    application: "none",
    run: async (t) => {
      const { prefix, id, secret } = partsOf(t.admin.driver.writeKey);
      const authorization = write({ start: `${prefix}_`, id, secret });
      const refused = await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { authorization });
      adminRefusal(t, refused.answer, name);
      const { answer } = await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { authorization: null });
      t.equal(shapeOf(refused.answer), shapeOf(answer), "it is indistinguishable from a missing key");
      await t.admin.get("adminMembers", {});
    },
  })),
});
