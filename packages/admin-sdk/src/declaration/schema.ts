import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  type Branding,
  CLIENT_LIMITS,
  checkBrandingField,
  checkDisplayName,
  checkPreviewReturnPath,
  checkReturnUrlRegistration,
  checkSlug,
  checkTenantKey,
  checkWebOrigin,
} from "@social-connect/domain";
import * as z from "zod/mini";

/** Plain http on loopback is accepted here; a deployment in live mode rejects it. */
const RULES = { allowLoopbackHttp: true };

type Rule = (value: string) => { readonly message: string } | null;

/** A string that satisfies a rule of the service. */
const text = (rule: Rule) =>
  z.string({ error: "must be a string" }).check((context) => {
    const refusal = rule(context.value);
    if (refusal !== null) context.issues.push({ code: "custom", message: refusal.message, input: context.value });
  });

/** A list without duplicates; `keyOf` identifies an entry. */
const distinct = <Item extends z.ZodMiniType>(
  item: Item,
  keyOf: (value: z.output<Item>) => string,
  most: number,
  least = 0,
) =>
  z
    .array(item, { error: "must be a list" })
    .check(
      z.minLength(least, { error: `must have at least ${least} ${least === 1 ? "entry" : "entries"}` }),
      z.maxLength(most, { error: `must have at most ${most} entries` }),
      (context) => {
        const seen = new Set<string>();
        context.value.forEach((value, index) => {
          const key = keyOf(value);
          if (seen.has(key))
            context.issues.push({ code: "custom", message: "duplicate value", input: value, path: [index] });
          seen.add(key);
        });
      },
    );

const itself = (value: string) => value;
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });
const flag = () => z.boolean({ error: "must be true or false" });

/** A missing field stays unchanged; null removes it. */
const branding = (field: keyof Branding) => z.optional(z.nullable(text((value) => checkBrandingField(field, value))));

const returnUrl = z.pipe(
  z.transform((value) => (typeof value === "string" ? { url: value } : value)),
  z.strictObject(
    {
      url: text((url) => checkReturnUrlRegistration(url, { ...RULES, webOrigins: originsLike(url) })),
      confirmedNoOnwardRedirect: z.optional(
        z.literal(true, {
          error:
            "must be true, after you have checked that the route never redirects onward to an address taken from the request",
        }),
      ),
    },
    { error: fieldsError("must be a URL, or url with confirmedNoOnwardRedirect: true") },
  ),
);

/** The origin rule is checked later for the whole client, so each URL is checked on its own origin here. */
function originsLike(url: string): string[] {
  return URL.canParse(url) ? [new URL(url).origin] : [];
}

export const clientSchema = z.strictObject(
  {
    slug: text(checkSlug),
    displayName: z.optional(text(checkDisplayName)),
    logo: branding("logo"),
    brandColor: branding("brandColor"),
    supportAddress: branding("supportAddress"),
    privacyUrl: branding("privacyUrl"),
    enabled: z.optional(flag()),
    webOrigins: z.optional(
      distinct(
        text((origin) => checkWebOrigin(origin, RULES)),
        itself,
        CLIENT_LIMITS.webOrigins,
        1,
      ),
    ),
    returnUrls: z.optional(distinct(returnUrl, ({ url }) => url, CLIENT_LIMITS.returnUrls, 1)),
    tenantKeys: z.optional(distinct(text(checkTenantKey), itself, CLIENT_LIMITS.tenantKeys)),
    providers: z.optional(distinct(oneOf(SOCIAL_PROVIDERS), itself, SOCIAL_PROVIDERS.length)),
    capabilities: z.optional(distinct(oneOf(CAPABILITIES), itself, CAPABILITIES.length)),
    previewOriginsEnabled: z.optional(flag()),
    previewReturnPaths: z.optional(distinct(text(checkPreviewReturnPath), itself, CLIENT_LIMITS.previewReturnPaths)),
  },
  { error: fieldsError("must be a client: slug, displayName, webOrigins and so on") },
);

/** A valid declaration, with all return URLs as objects. */
export type CheckedDeclaration = z.output<typeof clientSchema>;

/** Distinguishes an unknown field from a value that is not an object. */
function fieldsError(otherwise: string) {
  return ({ code }: { readonly code?: string | undefined }) =>
    code === "unrecognized_keys" ? "unknown field" : otherwise;
}
