import { CAPABILITIES, EVENT_LIMITS, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  BRANDING_FIELDS,
  type Branding,
  CLIENT_LIMITS,
  checkBrandingField,
  checkDisplayName,
  checkEndpointUrl,
  checkPreviewReturnPath,
  checkReturnUrlRegistration,
  checkSlug,
  checkTenantKey,
  checkWebOrigin,
  SELECTABLE_EVENT_TYPES,
} from "@social-connect/domain";
import { isObject } from "@social-connect/sdk-core";
import type { ClientDeclaration } from "./declaration.ts";
import type { Path } from "./declarationError.ts";

interface SchemaProblem {
  readonly path: Path;
  readonly message: string;
  /** The position of an unknown field is its name, and of another problem its value. */
  readonly at: "value" | "key";
}

/** The problems of a value. Written without a library for schemas, which would be a quarter of the package without its YAML parser. */
type Check = (value: unknown, path: Path) => readonly SchemaProblem[];
type Checks<Type> = { readonly [Name in keyof Type]-?: Check };

function problem(path: Path, message: string, at: SchemaProblem["at"] = "value"): readonly SchemaProblem[] {
  return [{ path, message, at }];
}

function optional(check: Check): Check {
  return (value, path) => (value === undefined ? [] : check(value, path));
}

/** A string that satisfies a rule of the service. */
function text(rule: (value: string) => { readonly message: string } | null): Check {
  return (value, path) => {
    const refusal = typeof value === "string" ? rule(value) : { message: "must be a string" };
    return refusal === null ? [] : problem(path, refusal.message);
  };
}

function oneOf(values: readonly string[]): Check {
  return (value, path) =>
    values.some((each) => each === value) ? [] : problem(path, `must be one of ${values.join(", ")}`);
}

/** A list without duplicates. */
function list(check: Check, most: number, least = 0, keyOf: (item: unknown) => unknown = (item) => item): Check {
  return optional((items, path) => {
    if (!Array.isArray(items)) return problem(path, "must be a list");
    const problems = items.flatMap((item, index) => check(item, [...path, index]));
    if (problems.length > 0) return problems;
    if (items.length < least) return problem(path, `must have at least ${least} ${least === 1 ? "entry" : "entries"}`);
    if (items.length > most) return problem(path, `must have at most ${most} entries`);
    const seen = new Set<unknown>();
    return items.flatMap((item, index) => {
      const isNew = !seen.has(keyOf(item));
      seen.add(keyOf(item));
      return isNew ? [] : problem([...path, index], "duplicate value");
    });
  });
}

const MAX_UNKNOWN_FIELDS = 20;

/** An object with these fields and no others. */
function fields(known: Readonly<Record<string, Check>>, otherwise: string): Check {
  return (value, path) => {
    if (!isObject(value)) return problem(path, otherwise);
    // Each is searched for in the file.
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(known, name));
    return [
      ...Object.entries(known).flatMap(([name, check]) => check(value[name], [...path, name])),
      ...unknown.slice(0, MAX_UNKNOWN_FIELDS).flatMap((name) => problem([...path, name], "unknown field", "key")),
    ];
  };
}

const flag = optional((value, path) => (typeof value === "boolean" ? [] : problem(path, "must be true or false")));

/** Plain http on loopback is accepted here; a deployment in live mode rejects it. */
const RULES = { allowLoopbackHttp: true };

const UNCONFIRMED =
  "must be true, after you have checked that the route never redirects onward to an address taken from the request";

const RETURN_URL = fields(
  {
    // The origin rule is checked later for the whole client, so each URL is checked on its own origin here.
    url: text((url) => {
      const webOrigins = URL.canParse(url) ? [new URL(url).origin] : [];
      return checkReturnUrlRegistration(url, { ...RULES, webOrigins });
    }),
    confirmedNoOnwardRedirect: optional((value, path) => (value === true ? [] : problem(path, UNCONFIRMED))),
  },
  "must be a URL, or url with confirmedNoOnwardRedirect: true",
);

/** A return URL can be a plain string. */
export function asReturnUrl(value: unknown): unknown {
  return typeof value === "string" ? { url: value } : value;
}

/** A missing field stays unchanged; null removes it. */
const BRANDING = Object.fromEntries(
  BRANDING_FIELDS.map((field) => {
    const check = text((value) => checkBrandingField(field, value));
    return [field, optional((value, path) => (value === null ? [] : check(value, path)))];
  }),
) as Checks<Branding>;

/** The secret itself never stands in the file. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

const EVENT_ENDPOINT = fields(
  {
    url: text((url) => checkEndpointUrl(url, "sandbox")),
    types: list(oneOf(SELECTABLE_EVENT_TYPES), SELECTABLE_EVENT_TYPES.length),
    secretFrom: text((name) =>
      VARIABLE_NAME.test(name) ? null : { message: "must be the name of an environment variable, not the secret" },
    ),
  },
  "must be an endpoint: url, types and secretFrom",
);

const CLIENT: Checks<ClientDeclaration> = {
  slug: text(checkSlug),
  displayName: optional(text(checkDisplayName)),
  ...BRANDING,
  enabled: flag,
  webOrigins: list(
    text((origin) => checkWebOrigin(origin, RULES)),
    CLIENT_LIMITS.webOrigins,
    1,
  ),
  returnUrls: list(
    (value, path) => RETURN_URL(asReturnUrl(value), path),
    CLIENT_LIMITS.returnUrls,
    1,
    (value) => Reflect.get(Object(asReturnUrl(value)), "url"),
  ),
  tenantKeys: list(text(checkTenantKey), CLIENT_LIMITS.tenantKeys),
  providers: list(oneOf(SOCIAL_PROVIDERS), SOCIAL_PROVIDERS.length),
  capabilities: list(oneOf(CAPABILITIES), CAPABILITIES.length),
  eventEndpoints: list(EVENT_ENDPOINT, EVENT_LIMITS.endpointsPerApplication, 0, (item) =>
    Reflect.get(Object(item), "url"),
  ),
  previewOriginsEnabled: flag,
  previewReturnPaths: list(text(checkPreviewReturnPath), CLIENT_LIMITS.previewReturnPaths),
};

/** The problems of a declaration. */
export const checkClient = fields(CLIENT, "must be a client: slug, displayName, webOrigins and so on");
