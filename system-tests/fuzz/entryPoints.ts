import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";
import { DOCUMENT_PARTS as ADMIN_PARTS } from "../../packages/conformance/src/_generated/adminWire.ts";
import {
  type AdminOperationName,
  adminDocumentOf,
  documentOf,
  OPERATION_NAMES,
} from "../../packages/conformance/src/wire/documents.ts";
import { SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import { type Api, type KnownValues, randomDocument } from "./documents.ts";
import { HOSTILE_TEXTS } from "./hostileValues.ts";
import type { HttpRequest } from "./httpRequest.ts";
import { mutateDocument, mutateValue } from "./mutate.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

type Headers = HttpRequest["headers"];

export interface EntryPoint {
  readonly name: string;
  /** Answers are GraphQL answers. */
  readonly isGraphql: boolean;
  /** A request that is valid, or was until it was mutated. */
  readonly request: (world: World, random: Random) => HttpRequest | Promise<HttpRequest>;
}

function apiOf<Name extends string>(file: string, names: readonly Name[], documentOfOne: (name: Name) => string): Api {
  const text = readFileSync(new URL(`../../packages/contract/${file}`, import.meta.url), "utf8");
  return {
    schema: buildSchema(text),
    documents: Object.fromEntries(names.map((name) => [name, documentOfOne(name)])),
  };
}
const CONSUMER = apiOf("consumer.graphql", OPERATION_NAMES, documentOf);
const ADMIN = apiOf("admin.graphql", Object.keys(ADMIN_PARTS) as AdminOperationName[], adminDocumentOf);
/** Flows that a request starts cost several calls: a share of the requests is enough for their later steps. */
const FRESH = 0.1;
const PANEL_PATHS = ["", "/", "/sign-in", "/confirm", "/session", "/callback", "/clients", "/assets/index.js"];
const OTHER_PATHS = ["/", "/healthz", "/readyz", "/schema.graphql", "/graphql", "/favicon.ico", "/api", "/.env"];

const graphql: Readonly<Record<string, EntryPoint["request"]>> = {
  consumer: ({ key, known }, random) =>
    graphqlRequest("/graphql", CONSUMER, known, random, random.chance(0.9) ? [bearer(key)] : []),
  admin: ({ adminKnown, readKey, writeKey }, random) =>
    graphqlRequest("/api/admin/graphql", ADMIN, adminKnown, random, [bearer(random.chance(0.7) ? writeKey : readKey)]),
  "panel-graphql": ({ panel, adminKnown }, random) =>
    graphqlRequest("/panel/graphql", ADMIN, adminKnown, random, [
      ["Cookie", panel.cookie],
      ["Origin", panel.origin],
      ["X-Csrf-Token", panel.csrfToken],
    ]),
};

const pages: Readonly<Record<string, EntryPoint["request"]>> = {
  "panel-pages": ({ panel }, random) => {
    const headers: Headers = random.chance(0.5) ? [["Cookie", panel.cookie]] : [];
    if (random.chance(0.1)) return { method: "POST", target: "/panel/sign-out", headers, body: Buffer.alloc(0) };
    return page(`/panel${random.pick(PANEL_PATHS)}`, { code: random.hex(16), state: random.hex(32) }, random, headers);
  },
  launch: async (world, random) => {
    const session = random.chance(FRESH)
      ? await world.connectSession(random.pick(SOCIAL_PROVIDERS), `fuzz-${random.hex(12)}`)
      : null;
    const optional = random.chance(0.3) ? { consent_pane: "true", ui_locales: "de-AT en" } : {};
    const fields = { launchToken: session?.launchToken ?? random.hex(64), ...optional };
    return form("/api/connect/redeem", fields, random, world);
  },
  "consent-pane": (world, random) => {
    const attempt = `${random.hex(8)}-0000-4000-8000-${random.hex(12)}`;
    const sealed = `social-connect-pane-${attempt}=v1.k1.${random.hex(32)}.${random.hex(200)}`;
    if (random.chance(0.5)) return form("/api/connect/consent", { attempt }, random, world);
    return page("/api/connect/consent", { attempt }, random, random.chance(0.5) ? [["Cookie", sealed]] : []);
  },
  "provider-callback": async (world, random) => {
    const provider = random.pick(SOCIAL_PROVIDERS);
    const begin = () => world.connectSession(provider, `fuzz-${random.hex(12)}`);
    return callback(`/api/connect/callback/${providerSlug(provider)}`, begin, world, random);
  },
  "identity-redeem": async (world, random) => {
    const session = random.chance(FRESH) ? await world.identitySession() : null;
    return form("/api/identity/redeem", { launchToken: session?.launchToken ?? random.hex(64) }, random, world);
  },
  "identity-callback": (world, random) => callback("/api/identity/callback", world.identitySession, world, random),
  deauthorize: (world, random) => signedForm("/api/connect/deauthorize/{provider}", 1_780_000_000, world, random),
  webhook: (world, random) => {
    const event = { event: "authorization.removed", user_openid: random.hex(8), content: "{}" };
    const mutated = JSON.stringify(random.chance(0.7) ? mutateValue(event, random) : event);
    const text = random.chance(0.1) ? random.pick(HOSTILE_TEXTS) : mutated;
    const header = world.webhookHeader(text);
    return {
      method: "POST",
      target: `/api/connect/${anySlug(random)}/webhook`,
      headers: [
        ["Content-Type", "application/json"],
        ["TikTok-Signature", random.chance(0.2) ? header.slice(0, random.below(header.length)) : header],
      ],
      body: Buffer.from(text ?? ""),
    };
  },
  "data-deletion": (world, random) =>
    signedForm("/api/connect/{provider}/data-deletion", Math.floor(Date.now() / 1_000), world, random),
  "deletion-status": (_world, random) =>
    page(`/api/connect/${anySlug(random)}/data-deletion`, { code: random.hex(32) }, random, []),
  "other-paths": (_world, random) => page(random.pick(OTHER_PATHS), {}, random, []),
};

const listed = (requests: Readonly<Record<string, EntryPoint["request"]>>, isGraphql: boolean): EntryPoint[] =>
  Object.entries(requests).map(([name, request]) => ({ name, isGraphql, request }));
export const ENTRY_POINTS: readonly EntryPoint[] = [...listed(graphql, true), ...listed(pages, false)];

const anySlug = (random: Random) => providerSlug(random.pick(SOCIAL_PROVIDERS));

/** The redirect back with a code that was never issued; sometimes of a browser with an attempt. */
async function callback(
  path: string,
  begin: () => Promise<Parameters<World["browserReturn"]>[0]>,
  world: World,
  random: Random,
): Promise<HttpRequest> {
  const back = random.chance(FRESH) ? await world.browserReturn(await begin()) : null;
  const parameters = { code: random.hex(24), state: back?.state || random.hex(64) };
  return page(path, parameters, random, back === null ? [] : [["Cookie", back.cookie]]);
}

/** A message of a provider with its signature. */
function signedForm(path: string, issuedAt: number, world: World, random: Random): HttpRequest {
  const payload = {
    algorithm: "HMAC-SHA256",
    issued_at: issuedAt + random.below(10_000) - 10_000,
    user_id: random.hex(8),
  };
  const sent = random.chance(0.5) ? mutateValue(payload, random) : payload;
  const signed = world.signedRequest(typeof sent === "object" && sent !== null ? sent : { sent });
  return form(path.replace("{provider}", anySlug(random)), { signed_request: signed }, random, world);
}

function bearer(key: string): [string, string] {
  return ["Authorization", `Bearer ${key}`];
}

function graphqlRequest(target: string, api: Api, known: KnownValues, random: Random, headers: Headers): HttpRequest {
  const valid = randomDocument(api, known, random);
  const body = random.pick<() => unknown>([
    () => valid,
    () => ({ ...valid, variables: mutateValue(valid.variables, random) }),
    () => ({ ...valid, variables: mutateValue(mutateValue(valid.variables, random), random) }),
    () => ({ ...valid, query: mutateDocument(valid.query, random) }),
    () => ({ ...valid, query: mutateDocument(valid.query, random), variables: mutateValue(valid.variables, random) }),
    () => mutateValue({ ...valid, operationName: null, extensions: {} }, random),
  ])();
  const bytes = Buffer.from(JSON.stringify(body) ?? "");
  return { method: "POST", target, headers: [["Content-Type", "application/json"], ...headers], body: bytes };
}

/** A page with a query string: unchanged, or with one part changed, omitted or duplicated. */
function page(
  path: string,
  parameters: Readonly<Record<string, string>>,
  random: Random,
  headers: Headers,
): HttpRequest {
  const pairs = mutatePairs(Object.entries(parameters), random);
  const query = pairs.length === 0 ? "" : `?${encodePairs(pairs)}`.slice(0, 12_000);
  return { method: "GET", target: path + query, headers, body: null };
}

function form(path: string, fields: Readonly<Record<string, string>>, random: Random, world: World): HttpRequest {
  return {
    method: "POST",
    target: path,
    headers: [
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["Origin", world.origin],
    ],
    body: Buffer.from(encodePairs(mutatePairs(Object.entries(fields), random))),
  };
}

function mutatePairs(pairs: readonly [string, string][], random: Random): readonly [string, string][] {
  const at = random.below(Math.max(1, pairs.length));
  const [name, value] = pairs[at] ?? ["", ""];
  return random.pick<() => [string, string][]>([
    () => [...pairs],
    () => pairs.toSpliced(at, 1, [name, random.pick(HOSTILE_TEXTS)]),
    () => [...pairs, [name, value]],
    () => [...pairs, ["error", "access_denied"]],
    () => [...pairs, [random.pick(HOSTILE_TEXTS), random.pick(HOSTILE_TEXTS)]],
    () => pairs.toSpliced(at, 1),
  ])();
}

/** Percent-encoded, also what has no UTF-8 form. */
function encodePairs(pairs: readonly (readonly [string, string])[]): string {
  const encode = (text: string) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const short = (text: string) => (/^[\w.-]*$/.test(text) ? text : encode(text));
  return pairs.map(([name, value]) => `${short(name)}=${short(value)}`).join("&");
}
