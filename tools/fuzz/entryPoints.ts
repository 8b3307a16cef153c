import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema } from "graphql";
import { type KnownValues, randomDocument } from "./documents.ts";
import { HOSTILE_TEXTS } from "./hostileValues.ts";
import type { HttpRequest } from "./httpRequest.ts";
import { mutateDocument, mutateValue } from "./mutate.ts";
import type { Random } from "./random.ts";
import { PROVIDERS, slugOf, type World } from "./world.ts";

export interface EntryPoint {
  readonly name: string;
  /** Answers are GraphQL answers. */
  readonly isGraphql: boolean;
  /** A request that is valid, or was until it was mutated. */
  readonly request: (world: World, random: Random) => HttpRequest | Promise<HttpRequest>;
}

const schemaOf = (name: string): GraphQLSchema =>
  buildSchema(readFileSync(new URL(`../../packages/contract/${name}.graphql`, import.meta.url), "utf8"));
const CONSUMER = schemaOf("consumer");
const ADMIN = schemaOf("admin");
/** Flows that a request starts cost several calls: a share of the requests is enough for their later steps. */
const FRESH = 0.1;

export const ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: "consumer",
    isGraphql: true,
    request: ({ dev, known }, random) =>
      graphqlRequest("/graphql", CONSUMER, known, random, random.chance(0.9) ? [bearer(dev.consumer.key)] : []),
  },
  {
    name: "admin",
    isGraphql: true,
    request: ({ dev, adminKnown }, random) =>
      graphqlRequest("/api/admin/graphql", ADMIN, adminKnown, random, [
        bearer(random.chance(0.7) ? dev.admin.writeKey : dev.admin.readKey),
      ]),
  },
  {
    name: "panel-graphql",
    isGraphql: true,
    request: ({ panel, adminKnown }, random) =>
      graphqlRequest("/panel/graphql", ADMIN, adminKnown, random, [
        ["Cookie", panel.cookie],
        ["Origin", panel.origin],
        ["X-Csrf-Token", panel.csrfToken],
      ]),
  },
  {
    name: "panel-pages",
    isGraphql: false,
    request: ({ panel }, random) => {
      const path = random.pick([
        "",
        "/",
        "/sign-in",
        "/confirm",
        "/session",
        "/callback",
        "/clients",
        "/assets/index.js",
      ]);
      const headers: [string, string][] = random.chance(0.5) ? [["Cookie", panel.cookie]] : [];
      if (random.chance(0.1)) return { method: "POST", target: "/panel/sign-out", headers, body: Buffer.alloc(0) };
      return page(`/panel${path}`, { code: random.hex(16), state: random.hex(32) }, random, headers);
    },
  },
  {
    name: "launch",
    isGraphql: false,
    request: async (world, random) => {
      const isFresh = random.chance(FRESH);
      const launchToken = isFresh
        ? (await world.connectSession(random.pick(PROVIDERS), `fuzz-${random.hex(12)}`)).launchToken
        : random.hex(64);
      const optional = random.chance(0.3) ? { consent_pane: "true", ui_locales: "de-AT en" } : {};
      return form("/api/connect/redeem", { launchToken, ...optional }, random, world);
    },
  },
  {
    name: "consent-pane",
    isGraphql: false,
    request: (world, random) => {
      const attempt = `${random.hex(8)}-0000-4000-8000-${random.hex(12)}`;
      const cookie: [string, string] = [
        "Cookie",
        `social-connect-pane-${attempt}=v1.k1.${random.hex(32)}.${random.hex(200)}`,
      ];
      if (random.chance(0.5)) return form("/api/connect/consent", { attempt }, random, world);
      return page("/api/connect/consent", { attempt }, random, random.chance(0.5) ? [cookie] : []);
    },
  },
  {
    name: "provider-callback",
    isGraphql: false,
    request: async (world, random) => {
      const provider = random.pick(PROVIDERS);
      const path = `/api/connect/callback/${slugOf(provider)}`;
      if (!random.chance(FRESH)) return page(path, { code: random.hex(24), state: random.hex(64) }, random, []);
      const back = await world.providerReturn(provider, random);
      const parameters = Object.fromEntries(new URLSearchParams(back.target.split("?")[1]));
      return page(path, parameters, random, [["Cookie", back.cookie]]);
    },
  },
  {
    name: "identity-redeem",
    isGraphql: false,
    request: async (world, random) => {
      const session = random.chance(FRESH) ? await world.identitySession() : null;
      return form("/api/identity/redeem", { launchToken: session?.launchToken ?? random.hex(64) }, random, world);
    },
  },
  {
    name: "identity-callback",
    isGraphql: false,
    request: async (world, random) => {
      const back = random.chance(FRESH) ? await world.identityReturn(random) : null;
      const parameters = Object.fromEntries(new URLSearchParams(back?.target.split("?")[1] ?? ""));
      const headers: [string, string][] = back === null ? [] : [["Cookie", back.cookie]];
      return page(
        "/api/identity/callback",
        { code: random.hex(24), state: random.hex(64), ...parameters },
        random,
        headers,
      );
    },
  },
  {
    name: "deauthorize",
    isGraphql: false,
    request: (world, random) => {
      const payload = {
        algorithm: "HMAC-SHA256",
        issued_at: 1_780_000_000 + random.below(10_000),
        user_id: random.hex(8),
      };
      const sent = random.chance(0.5) ? mutateValue(payload, random) : payload;
      const signed = world.signedRequest(typeof sent === "object" && sent !== null ? sent : { sent });
      return form(
        `/api/connect/deauthorize/${slugOf(random.pick(PROVIDERS))}`,
        { signed_request: signed },
        random,
        world,
      );
    },
  },
  {
    name: "webhook",
    isGraphql: false,
    request: (world, random) => {
      const event = { event: "authorization.removed", user_openid: random.hex(8), content: "{}" };
      const text = JSON.stringify(random.chance(0.7) ? mutateValue(event, random) : event);
      const { header, body } = world.webhook(random.chance(0.1) ? random.pick(HOSTILE_TEXTS) : text);
      return {
        method: "POST",
        target: `/api/connect/${slugOf(random.pick(PROVIDERS))}/webhook`,
        headers: [
          ["Content-Type", "application/json"],
          ["TikTok-Signature", random.chance(0.2) ? header.slice(0, random.below(header.length)) : header],
        ],
        body,
      };
    },
  },
  {
    name: "data-deletion",
    isGraphql: false,
    request: (world, random) => {
      const payload = { algorithm: "HMAC-SHA256", issued_at: Math.floor(Date.now() / 1_000), user_id: random.hex(8) };
      const sent = random.chance(0.5) ? mutateValue(payload, random) : payload;
      const signed = world.signedRequest(typeof sent === "object" && sent !== null ? sent : { sent });
      return form(
        `/api/connect/${slugOf(random.pick(PROVIDERS))}/data-deletion`,
        { signed_request: signed },
        random,
        world,
      );
    },
  },
  {
    name: "deletion-status",
    isGraphql: false,
    request: (_world, random) =>
      page(`/api/connect/${slugOf(random.pick(PROVIDERS))}/data-deletion`, { code: random.hex(32) }, random, []),
  },
  {
    name: "other-paths",
    isGraphql: false,
    request: (_world, random) =>
      page(
        random.pick(["/", "/healthz", "/readyz", "/schema.graphql", "/graphql", "/favicon.ico", "/api", "/.env"]),
        {},
        random,
        [],
      ),
  },
];

function bearer(key: string): [string, string] {
  return ["Authorization", `Bearer ${key}`];
}

function graphqlRequest(
  target: string,
  schema: GraphQLSchema,
  known: KnownValues,
  random: Random,
  headers: readonly (readonly [string, string])[],
): HttpRequest {
  const valid = randomDocument(schema, known, random);
  const body = random.pick<() => unknown>([
    () => valid,
    () => ({ ...valid, variables: mutateValue(valid.variables, random) }),
    () => ({ ...valid, variables: mutateValue(mutateValue(valid.variables, random), random) }),
    () => ({ ...valid, query: mutateDocument(valid.query, random) }),
    () => ({ ...valid, query: mutateDocument(valid.query, random), variables: mutateValue(valid.variables, random) }),
    () => mutateValue({ ...valid, operationName: "Fuzz", extensions: {} }, random),
  ])();
  return { method: "POST", target, headers: [["Content-Type", "application/json"], ...headers], body: jsonOf(body) };
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? "");
}

/** A page with a query string: unchanged, or with one part changed, omitted or duplicated. */
function page(
  path: string,
  parameters: Readonly<Record<string, string>>,
  random: Random,
  headers: readonly (readonly [string, string])[],
): HttpRequest {
  return {
    method: "GET",
    target: `${path}${queryOf(mutatePairs(Object.entries(parameters), random))}`,
    headers,
    body: null,
  };
}

function queryOf(pairs: readonly (readonly [string, string])[]): string {
  return pairs.length === 0 ? "" : `?${encodePairs(pairs)}`.slice(0, 12_000);
}

function form(path: string, fields: Readonly<Record<string, string>>, random: Random, world: World): HttpRequest {
  return {
    method: "POST",
    target: path,
    headers: [
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["Origin", new URL(world.dev.consumer.returnUrl).origin],
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
