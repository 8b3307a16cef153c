import { caseForEach, defineCases } from "../../harness/defineCase.ts";
import { partsOf } from "./support/credentials.ts";
import { adminRefusal, shapeOf } from "./support/findings.ts";

interface KeyParts {
  readonly prefix: string;
  readonly id: string;
  readonly secret: string;
}

/** Headers that resemble the valid format, made from a valid key; all are invalid. */
const NEARLY: Readonly<Record<string, (parts: KeyParts) => string>> = {
  "no-scheme": ({ prefix, id, secret }) => `${prefix}_${id}.${secret}`,
  "lower-case-scheme": ({ prefix, id, secret }) => `bearer ${prefix}_${id}.${secret}`,
  "basic-scheme": ({ prefix, id, secret }) => `Basic ${Buffer.from(`${prefix}_${id}:${secret}`).toString("base64")}`,
  "two-spaces": ({ prefix, id, secret }) => `Bearer  ${prefix}_${id}.${secret}`,
  "no-prefix": ({ id, secret }) => `Bearer ${id}.${secret}`,
  "upper-case-prefix": ({ prefix, id, secret }) => `Bearer ${prefix.toUpperCase()}_${id}.${secret}`,
  "hyphen-after-prefix": ({ prefix, id, secret }) => `Bearer ${prefix}-${id}.${secret}`,
  "no-dot": ({ prefix, id, secret }) => `Bearer ${prefix}_${id}${secret}`,
  colon: ({ prefix, id, secret }) => `Bearer ${prefix}_${id}:${secret}`,
  "short-secret": ({ prefix, id, secret }) => `Bearer ${prefix}_${id}.${secret.slice(1)}`,
  "long-secret": ({ prefix, id, secret }) => `Bearer ${prefix}_${id}.${secret}0`,
  "upper-case-secret": ({ prefix, id, secret }) => `Bearer ${prefix}_${id}.${secret.slice(0, -1).toUpperCase()}A`,
  "id-without-hyphens": ({ prefix, id, secret }) => `Bearer ${prefix}_${id.replaceAll("-", "")}.${secret}`,
  "id-alone": ({ prefix, id }) => `Bearer ${prefix}_${id}`,
  "secret-alone": ({ secret }) => `Bearer ${secret}`,
  "behind-a-comma": ({ prefix, id, secret }) => `Bearer ${prefix}_${id}.${secret}, Bearer ${prefix}_${id}.${secret}`,
  quoted: ({ prefix, id, secret }) => `Bearer "${prefix}_${id}.${secret}"`,
  "4000-characters": ({ prefix, id }) => `Bearer ${prefix}_${id}.${"a".repeat(4_000)}`,
};

export const ADMIN_KEY_SHAPE_CASES = defineCases({
  ...caseForEach(Object.entries(NEARLY), ([name, write]) => ({
    id: `S5.admin.shape.${name}`,
    title: `A malformed Authorization header (${name}) is UNAUTHENTICATED.`,
    readSafe: true,
    needs: ["admin"],
    application: "none",
    run: async (t) => {
      const authorization = write(partsOf(t.admin.driver.writeKey));
      const refused = await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { authorization });
      adminRefusal(t, refused.answer, name);
      const { answer } = await t.admin.refuses("adminMembers", {}, "UNAUTHENTICATED", null, { authorization: null });
      t.equal(shapeOf(refused.answer), shapeOf(answer), "it is indistinguishable from a missing key");
      await t.admin.get("adminMembers", {});
    },
  })),
});
