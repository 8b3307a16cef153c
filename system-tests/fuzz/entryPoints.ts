import fc from "fast-check";
import { DOCUMENT_PARTS as ADMIN_PARTS } from "../../packages/conformance/src/_generated/adminWire.ts";
import {
  type AdminOperationName,
  adminDocumentOf,
  documentOf,
  OPERATION_NAMES,
} from "../../packages/conformance/src/wire/documents.ts";
import { SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import { providerSlug } from "../../packages/domain/src/index.ts";
import type { Launch } from "../actors/person.ts";
import { times } from "../times.ts";
import { type Edit, edits, hex, odd, oddObject, TEXT } from "./arbitraries.ts";
import { bodiesFor, type KnownValues } from "./graphql.ts";
import type { HttpRequest } from "./httpRequest.ts";
import type { World } from "./world.ts";

/** Requests that are valid, or were until they were changed. Some need calls before. */
export type Requests = fc.Arbitrary<() => HttpRequest | Promise<HttpRequest>>;
type Headers = HttpRequest["headers"];
type Pair = readonly [name: string, value: string];
type Fields = Readonly<Record<string, string>>;

const PROVIDER = fc.constantFrom(...SOCIAL_PROVIDERS);
const SLUG = PROVIDER.map((provider) => providerSlug(provider));
/** Flows that a request starts cost several calls: a share of the requests is enough for their later steps. */
const FRESH = fc.oneof(times(9, fc.constant(false)), times(1, fc.constant(true)));
const PANEL_PATHS = ["", "/", "/sign-in", "/confirm", "/session", "/callback", "/clients", "/assets/index.js"];
const OTHER_PATHS = ["/", "/healthz", "/readyz", "/schema.graphql", "/graphql", "/favicon.ico", "/api", "/.env"];
const CALLBACK = fc.record({ code: hex(24), state: hex(64) });
/** What a request carries, by weights. */
const among = (...entries: readonly (readonly [weight: number, headers: Headers])[]) =>
  fc.oneof(...entries.map(([weight, headers]) => times(weight, fc.constant(headers))));
const bearer = (key: string): Headers => [["Authorization", `Bearer ${key}`]];
const json = (value: unknown) => JSON.stringify(value);
const NAME = fc.constantFrom("code", "state", "attempt", "launchToken", "signed_request", "error");
/** Fields of a query or a form: unchanged, or changed, omitted, doubled or added. */
const PAIR = fc.tuple(fc.oneof(times(2, NAME), times(1, TEXT)), TEXT).map((pair): readonly Pair[] => [pair]);
const UNCHANGED = fc.constant<Edit<Pair>>((pairs) => pairs);
const EDIT = fc.oneof(UNCHANGED, times(5, edits(PAIR)));

function drawn<Drawn>(
  values: { [Name in keyof Drawn]: fc.Arbitrary<Drawn[Name]> },
  make: (drawn: Drawn & { readonly edit: Edit<Pair> }) => HttpRequest | Promise<HttpRequest>,
): Requests {
  return fc.record({ ...values, edit: EDIT }).map((all) => () => make(all as never));
}

/** Requests to each entry point of the service. */
export function entryPoints(world: World) {
  const { adminKnown, key, known, origin, panel, readKey, writeKey } = world;
  const form = (path: string, fields: Fields, edit: Edit<Pair>): HttpRequest => ({
    method: "POST",
    target: path,
    headers: [
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["Origin", origin],
    ],
    body: Buffer.from(encoded(edit(Object.entries(fields)))),
  });
  /** The redirect back with a code that was never issued; sometimes of a browser with an attempt. */
  const callback = async (path: string, fields: Fields, edit: Edit<Pair>, session: Promise<Launch> | null) => {
    if (session === null) return page(path, fields, edit, []);
    const { cookie, state } = await world.browserReturn(await session);
    return page(path, { ...fields, state }, edit, [["Cookie", cookie]]);
  };
  const admin = Object.keys(ADMIN_PARTS) as AdminOperationName[];
  const adminRequests = (target: string, headers: fc.Arbitrary<Headers>) =>
    graphql("admin.graphql", admin, adminDocumentOf, adminKnown, target, headers);
  const signed = (path: string, issuedAt: number) => {
    const fields = {
      algorithm: fc.constant("HMAC-SHA256"),
      issued_at: fc.nat(10_000).map((ago) => issuedAt - ago),
      user_id: hex(8),
    };
    const payload = fc.oneof<fc.Arbitrary<unknown>[]>(fc.record(fields), odd(oddObject(fields)));
    return drawn({ slug: SLUG, payload }, ({ slug, payload, edit }) =>
      form(path.replace("{provider}", slug), { signed_request: world.signedRequest(payload) }, edit),
    );
  };
  const event = { event: fc.constant("authorization.removed"), user_openid: hex(8), content: fc.constant("{}") };
  const panelHeaders: Headers = [
    ["Cookie", panel.cookie],
    ["Origin", panel.origin],
    ["X-Csrf-Token", panel.csrfToken],
  ];
  return {
    consumer: graphql(
      "consumer.graphql",
      OPERATION_NAMES,
      documentOf,
      known,
      "/graphql",
      among([9, bearer(key)], [1, []]),
    ),
    admin: adminRequests("/api/admin/graphql", among([7, bearer(writeKey)], [3, bearer(readKey)])),
    "panel-graphql": adminRequests("/panel/graphql", among([1, panelHeaders])),
    "panel-pages": drawn(
      {
        path: fc.constantFrom(...PANEL_PATHS),
        fields: fc.record({ code: hex(16), state: hex(32) }),
        headers: among([1, [["Cookie", panel.cookie]]], [1, []]),
        signsOut: FRESH,
      },
      ({ path, fields, headers, signsOut, edit }) =>
        signsOut
          ? { method: "POST", target: "/panel/sign-out", headers, body: Buffer.alloc(0) }
          : page(`/panel${path}`, fields, edit, headers),
    ),
    launch: drawn(
      { isFresh: FRESH, provider: PROVIDER, token: hex(64), subject: hex(12), hasMore: fc.boolean() },
      async ({ isFresh, provider, token, subject, hasMore, edit }) => {
        const session = isFresh ? await world.connectSession(provider, `fuzz-${subject}`) : null;
        const more = hasMore ? { consent_pane: "true", ui_locales: "de-AT en" } : {};
        return form("/api/connect/redeem", { launchToken: session?.launchToken ?? token, ...more }, edit);
      },
    ),
    "consent-pane": drawn(
      { attempt: fc.uuid({ version: 4 }), sealed: hex(232), how: fc.constantFrom("form", "page", "sealed") },
      ({ attempt, sealed, how, edit }) => {
        if (how === "form") return form("/api/connect/consent", { attempt }, edit);
        const cookie = `social-connect-pane-${attempt}=v1.k1.${sealed.slice(0, 32)}.${sealed.slice(32)}`;
        return page("/api/connect/consent", { attempt }, edit, how === "sealed" ? [["Cookie", cookie]] : []);
      },
    ),
    "provider-callback": drawn(
      { isFresh: FRESH, provider: PROVIDER, fields: CALLBACK, subject: hex(12) },
      ({ isFresh, provider, fields, subject, edit }) => {
        const session = isFresh ? world.connectSession(provider, `fuzz-${subject}`) : null;
        return callback(`/api/connect/callback/${providerSlug(provider)}`, fields, edit, session);
      },
    ),
    "identity-redeem": drawn({ isFresh: FRESH, token: hex(64) }, async ({ isFresh, token, edit }) => {
      const session = isFresh ? await world.identitySession() : null;
      return form("/api/identity/redeem", { launchToken: session?.launchToken ?? token }, edit);
    }),
    "identity-callback": drawn({ isFresh: FRESH, fields: CALLBACK }, ({ isFresh, fields, edit }) =>
      callback("/api/identity/callback", fields, edit, isFresh ? world.identitySession() : null),
    ),
    deauthorize: signed("/api/connect/deauthorize/{provider}", 1_780_000_000),
    webhook: drawn(
      {
        slug: SLUG,
        text: fc.oneof(times(3, fc.record(event).map(json)), times(6, odd(oddObject(event)).map(json)), times(1, TEXT)),
        cut: fc.option(fc.nat(70), { freq: 4, nil: undefined }),
      },
      ({ slug, text, cut }) => ({
        method: "POST",
        target: `/api/connect/${slug}/webhook`,
        headers: [
          ["Content-Type", "application/json"],
          ["TikTok-Signature", world.webhookHeader(text).slice(0, cut)],
        ],
        body: Buffer.from(text),
      }),
    ),
    "data-deletion": signed("/api/connect/{provider}/data-deletion", Math.floor(Date.now() / 1_000)),
    "deletion-status": drawn({ slug: SLUG, code: hex(32) }, ({ slug, code, edit }) =>
      page(`/api/connect/${slug}/data-deletion`, { code }, edit, []),
    ),
    "other-paths": drawn({ path: fc.constantFrom(...OTHER_PATHS) }, ({ path, edit }) => page(path, {}, edit, [])),
  } satisfies Record<string, Requests>;
}

function graphql<Name extends string>(
  file: string,
  names: readonly Name[],
  documentOfOne: (name: Name) => string,
  known: KnownValues,
  target: string,
  headers: fc.Arbitrary<Headers>,
): Requests {
  const documents = Object.fromEntries(names.map((name) => [name, documentOfOne(name)]));
  return fc.tuple(bodiesFor(file, documents, known), headers).map(([body, more]) => () => ({
    method: "POST",
    target,
    headers: [["Content-Type", "application/json"], ...more],
    body: Buffer.from(JSON.stringify(body) ?? ""),
  }));
}

function page(path: string, fields: Fields, edit: Edit<Pair>, headers: Headers): HttpRequest {
  const query = encoded(edit(Object.entries(fields)));
  return { method: "GET", target: query === "" ? path : `${path}?${query}`.slice(0, 12_000), headers, body: null };
}

/** Percent-encoded, also what has no UTF-8 form. */
function encoded(pairs: readonly Pair[]): string {
  const bytes = (text: string) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const short = (text: string) => (/^[\w.-]*$/.test(text) ? text : bytes(text));
  return pairs.map(([name, value]) => `${short(name)}=${short(value)}`).join("&");
}
