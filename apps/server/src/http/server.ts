import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { IDEMPOTENCY_KEY_HEADER } from "@social-connect/contract";
import {
  AppError,
  servedMethods,
  speculativeStatus,
  TOO_MANY_ADMIN_CALLS,
  TOO_MANY_CALLS,
} from "@social-connect/domain";
import { CSRF_HEADER, responseHeaders, showError } from "@social-connect/transport";
import { Hono, type MiddlewareHandler } from "hono";
import type { AdminContext, AdminRequest } from "../graphql/admin/context.ts";
import { createEventEndpointsApi, EVENT_ENDPOINTS_PATH } from "../graphql/admin/eventEndpointsApi.ts";
import { ADMIN_PATHS, createAdminApi } from "../graphql/admin/yoga.ts";
import { type ConsumerContext, knownCaller } from "../graphql/consumer/context.ts";
import { consumerSchemaText } from "../graphql/consumer/schema.ts";
import { createConsumerApi } from "../graphql/consumer/yoga.ts";
import type { CallLanes } from "../graphql/shared/callLanes.ts";
import { readSentKey } from "../modules/applications/checkKey.ts";
import type { Service } from "../modules/service.ts";
import { presenceOf } from "../platform/call/presence.ts";
import { currentTrail } from "../platform/call/trail.ts";
import type { RequestRecord, RequestSurface } from "../platform/log/telemetry.ts";
import { asUuid } from "../platform/uuid.ts";
import { arrivalProblem } from "./adminTransport.ts";
import { connectPages, identityPages } from "./attemptPages.ts";
import { boundRequest } from "./boundRequest.ts";
import { callerAddress } from "./clientAddress.ts";
import { callContext, type Exchanged, exchange } from "./graphqlExchange.ts";
import { KnownCallers, type ProofSurface } from "./knownCallers.ts";
import { observedRequest } from "./observedRequest.ts";
import { answerBusy, answerMethod, answerNotFound, answerUnexpected } from "./pages/notFound.ts";
import { sessionTokenOf } from "./panelCookie.ts";
import { panelPages } from "./panelPages.ts";
import { providerMessages } from "./providerMessages.ts";
import { requireHttpsFromNowOn } from "./requestScheme.ts";

export interface HttpDependencies {
  readonly service: Service;
  /** The callers' shares. Their counts are for metrics. */
  readonly lanes: CallLanes;
  /** False while the process starts or drains, or while its database is unavailable; the readiness probe reports it. */
  readonly isReady: () => Promise<boolean>;
  /** The folder of the admin panel's build, which may not exist yet. */
  readonly panelFolder: string;
}

/** A person who opens the address of an API in a browser reads this. */
const ONLY_POST = "Programs send POST requests to this address.";
const SCHEMA_AT = "The schema is at /schema.graphql.";

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The HTTP server. `/graphql` goes directly to its engine, because it is the hot path and needs the raw headers; the
 * other routes are small pages and files.
 */
export function createHttpHandler(dependencies: HttpDependencies): HttpHandler {
  const { service, lanes } = dependencies;
  const { throttle, admission, strangers } = lanes;
  const known = new KnownCallers(new URL(service.adminHost));
  const graphql = { service, api: createConsumerApi(lanes), throttle, isCompressed: false };
  const adminEndpoints = createAdminEndpoints(service, lanes);
  const refused = new WeakSet<IncomingMessage>();
  const pages = getRequestListener(createPages(dependencies, refused).fetch);
  const servePage = (visit: Visit) => {
    const { request, response, entry } = visit;
    return observedRequest(service, "browser", visit, async (record) => {
      record.operation = entry.name;
      await pages(request, response);
      if (response.statusCode >= 400) record.code = `HTTP_${response.statusCode}`;
    }).finally(() => visit.endTurn?.());
  };
  const refuseMethod = async ({ request, response, endTurn }: Visit) => {
    const text = pathOf(request) === "/graphql" ? `${ONLY_POST} ${SCHEMA_AT}\n` : `${ONLY_POST}\n`;
    response.writeHead(405, { allow: "POST", "content-type": "text/plain; charset=utf-8" }).end(text);
    endTurn?.();
  };
  const answerCall = (visit: Visit) => {
    const { request } = visit;
    const authorization = request.headersDistinct["authorization"] ?? [];
    return observedRequest(service, "consumer", visit, async (record) => {
      const context: ConsumerContext = {
        ...callContext(service, request, visit.presence, record),
        authorization,
        sentKey: readSentKey(authorization),
        idempotencyKey: asUuid(request.headers[IDEMPOTENCY_KEY_HEADER]?.toString() ?? ""),
        caller: null,
        reader: null,
        isKeyFirst: false,
        isKeyChecked: false,
      };
      await exchange(graphql, visit, context);
      learn(visit, record, knownCaller(context)?.application.id ?? null);
    });
  };
  const learn = ({ proof }: Visit, { code }: RequestRecord, owner: string | null) => {
    if (owner !== null || code === "UNAUTHENTICATED") known.learn(proof, owner);
  };
  const serve = (visit: Visit) => {
    const { request, entry } = visit;
    if (entry.surface !== "browser") {
      if (request.method !== "POST") return refuseMethod(visit);
      if (entry.surface === "consumer") return answerCall(visit);
      return adminEndpoints[entry.surface](visit, (record, owner) => learn(visit, record, owner));
    }
    return servePage(visit);
  };
  return (request, response) => {
    if (!boundRequest(request)) return refuseLongHead(response);
    requireHttpsFromNowOn(request, response, service.trustedProxies);
    const path = pathOf(request);
    // Load balancers ask these every few seconds.
    if (PROBES.has(path)) return void pages(request, response);
    const entry = entryOf(request.method ?? "", path);
    const proof = known.proofOf(entry.proof, request);
    const owner = known.ownerOf(proof);
    // A network's requests of each kind have their own rate, so that unknown pages do not delay a person in the same network.
    const kind = entry.surface === "consumer" && proof !== null ? "consumer with a key" : entry.name;
    const turnOf = owner ?? `${kind} ${callerAddress(request, service).network}`;
    const presence = presenceOf(request, response, owner, turnOf);
    const visit: Visit = { request, response, entry, proof, presence, endTurn: null };
    if (owner !== null)
      return void (throttle.isExhausted(owner)
        ? throttle.wait(owner, presence.whenLeft, 0, 0).then(() => (presence.hasLeft ? undefined : serve(visit)))
        : serve(visit));
    void admission.admit({ owner: turnOf, ...strangers[entry.limit] }, presence).then((admitted) => {
      if (admitted === "left") return;
      if (admitted !== "refused") return serve({ ...visit, endTurn: admitted });
      if (entry.surface !== "browser") return refuseCall(visit);
      refused.add(request);
      return pages(request, response);
    });
  };
}

function refuseLongHead(response: ServerResponse): void {
  response.writeHead(431, { connection: "close", "content-length": "0" }).end();
}

/** The response to a caller whose turn would come too late. Its key was not checked. */
function refuseCall({ response, entry }: Visit): void {
  const correlationId = randomUUID();
  const refusal = entry.surface === "consumer" ? TOO_MANY_CALLS : TOO_MANY_ADMIN_CALLS;
  const { error } = showError(new AppError(refusal), correlationId);
  const body = JSON.stringify({ ...(entry.surface !== "consumer" && { data: null }), errors: [error] });
  const headers = { ...responseHeaders(correlationId), ...RETRY_SOON };
  response.writeHead(200, headers).end(body);
}

const RETRY_SOON = { "retry-after": "1" };

type Env = { Bindings: HttpBindings };

const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** `refused`: requests that are answered without work, because too many wait. */
function createPages(
  { service, isReady, panelFolder }: HttpDependencies,
  refused: WeakSet<IncomingMessage>,
): Hono<Env> {
  const app = new Hono<Env>();
  // However many ask at the same time, one of them asks the database: anyone could otherwise make the check time out.
  let checking: Promise<boolean> | null = null;
  const readiness = () => {
    checking ??= isReady().finally(() => {
      checking = null;
    });
    return checking;
  };
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", async (context) =>
    (await readiness()) ? context.text("ready\n") : context.text("not ready\n", 503),
  );
  app.use("*", securityHeaders);
  app.use("*", async (context, next) => {
    if (!refused.has(context.env.incoming)) return next();
    context.header("retry-after", RETRY_SOON["retry-after"]);
    return answerBusy(context, service);
  });
  app.get("/schema.graphql", (context) => context.text(consumerSchemaText));
  app.use("*", async ({ req, body }, next) => {
    const status = speculativeStatus(req.method, req.path, (name) => req.header(name));
    return status === null ? next() : body(null, status);
  });
  app.route("/", connectPages(service));
  app.route("/", providerMessages(service));
  app.route("/", identityPages(service));
  app.route("/", panelPages(service, panelFolder));
  app.notFound((context) => {
    const { path, method } = context.req;
    const methods = servedMethods(path, (provider, message) => messagesOf(service.provider(provider))[message]);
    if (methods === null || methods.includes(method)) return answerNotFound(context, service);
    return answerMethod(context, service, methods);
  });
  app.onError((error, context) => {
    const { correlationId, presence } = currentTrail();
    // No one reads the response.
    if (presence?.isGone) return context.body(null, 503);
    if (error instanceof AppError) {
      context.header("retry-after", String(error.retryAfterSeconds ?? 1));
      return answerUnexpected(context, service);
    }
    service.logger.error({ error, correlationId, path: context.req.path }, "failed to serve a page");
    return answerUnexpected(context, service);
  });
  return app;
}

function messagesOf(adapter: ReturnType<Service["provider"]>) {
  const { verifyDeauthorization, verifyWebhook, verifyDataDeletion } = adapter;
  return {
    deauthorization: verifyDeauthorization !== undefined,
    webhook: verifyWebhook !== undefined,
    "data-deletion": verifyDataDeletion !== undefined,
  };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?", 1)[0] ?? "";
}

/** Sent by a panel page that refreshes itself while no one uses it. */
const UNATTENDED_HEADER = "x-unattended";

type AdminEndpoint = (visit: Visit, learn: (record: RequestRecord, owner: string | null) => void) => Promise<void>;

/** The admin schema's two endpoints: the API for keys and the panel's. Both accept only POST. */
function createAdminEndpoints(
  service: Service,
  { admin, throttle }: CallLanes,
): Readonly<Record<"admin" | "panel", AdminEndpoint>> {
  const eventEndpoints = createEventEndpointsApi(admin);
  const endpoint = (surface: AdminRequest["surface"]): AdminEndpoint => {
    const graphql = { service, api: createAdminApi(surface, admin), throttle, isCompressed: surface === "panel" };
    const declared = { ...graphql, api: eventEndpoints };
    return (visit, learn) =>
      observedRequest(service, surface === "api" ? "admin" : "panel", visit, async (record) => {
        const { request, presence } = visit;
        const incoming = describeRequest(request, service, surface);
        const context: AdminContext = { ...callContext(service, request, presence, record), incoming, actor: null };
        await exchange(pathOf(request) === EVENT_ENDPOINTS_PATH ? declared : graphql, visit, context);
        learn(record, context.owner);
      });
  };
  return { admin: endpoint("api"), panel: endpoint("panel") };
}

function describeRequest(request: IncomingMessage, service: Service, surface: AdminRequest["surface"]): AdminRequest {
  const headers = request.headersDistinct;
  return {
    surface,
    transportProblem: arrivalProblem(request, service),
    authorization: headers["authorization"] ?? [],
    hasCookie: headers["cookie"] !== undefined,
    sessionToken: sessionTokenOf(request, new URL(service.adminHost)),
    origin: headers["origin"] ?? [],
    csrfToken: headers[CSRF_HEADER]?.[0] ?? null,
    isUnattended: headers[UNATTENDED_HEADER] !== undefined,
  };
}

const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** For every browser response: no caching, framing, scripts or referrer, unless the response says otherwise. */
const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) if (!context.res.headers.has(name)) context.header(name, value);
};

/** Which part of the service a request is for, and what it may prove itself with there. */
interface Entry {
  readonly surface: RequestSurface;
  /** For logs, metrics and turns. */
  readonly name: string;
  readonly proof: ProofSurface | null;
  /** The limit of unknown callers. */
  readonly limit: keyof CallLanes["strangers"];
}

/** A request from its arrival to its response. */
interface Visit extends Exchanged {
  readonly entry: Entry;
  readonly proof: string | null;
}

function entryOf(method: string, path: string): Entry {
  const limit = "calls";
  if (path === "/graphql") return { surface: "consumer", name: "consumer", proof: "consumer", limit };
  if (path === ADMIN_PATHS.api) return { surface: "admin", name: "admin", proof: "admin", limit };
  if (path === EVENT_ENDPOINTS_PATH) return { surface: "admin", name: "event endpoints", proof: "admin", limit };
  if (path === ADMIN_PATHS.panel) return { surface: "panel", name: "panel api", proof: "panel", limit };
  const isPanel = path === "/panel" || path.startsWith("/panel/");
  const name = pageName(method, path);
  const proof = isPanel ? "panel" : null;
  return { surface: "browser", name, proof, limit: ATTEMPT_PAGE.test(name) ? "attemptPages" : "pages" };
}

/** The pages and files that browsers load, by method and path; for logs and metrics. */
const PAGE_NAMES: readonly (readonly [name: string, method: string, path: RegExp])[] = [
  ["connect.redeem", "POST", /^\/api\/connect\/redeem$/],
  ["connect.consent", "GET", /^\/api\/connect\/consent$/],
  ["connect.consent", "POST", /^\/api\/connect\/consent$/],
  ["connect.callback", "GET", /^\/api\/connect\/callback\/[^/]{1,64}$/],
  ["connect.deauthorize", "POST", /^\/api\/connect\/deauthorize\/[^/]{1,64}$/],
  ["connect.webhook", "POST", /^\/api\/connect\/[^/]{1,64}\/webhook$/],
  ["connect.dataDeletion", "POST", /^\/api\/connect\/[^/]{1,64}\/data-deletion$/],
  ["connect.deletionStatus", "GET", /^\/api\/connect\/[^/]{1,64}\/data-deletion$/],
  ["identity.redeem", "POST", /^\/api\/identity\/redeem$/],
  ["identity.callback", "GET", /^\/api\/identity\/callback$/],
  ["panel.callback", "GET", /^\/panel\/callback$/],
  ["panel", "GET", /^\/panel(?:$|\/)/],
  ["panel", "POST", /^\/panel\//],
  ["schema", "GET", /^\/schema\.graphql$/],
];

/** The names of pages that look for an attempt. */
const ATTEMPT_PAGE = /\.(?:redeem|consent|callback|deletionStatus)$/;

/** The name of a page; `other` for everything that the service does not serve. */
function pageName(method: string, path: string): string {
  return PAGE_NAMES.find(([, ofMethod, shape]) => ofMethod === method && shape.test(path))?.[0] ?? "other";
}
