import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { IDEMPOTENCY_KEY_HEADER } from "@social-connect/contract";
import { servedMethods, speculativeStatus } from "@social-connect/domain";
import { CSRF_HEADER } from "@social-connect/transport";
import { Hono, type MiddlewareHandler } from "hono";
import type { AdminContext, AdminRequest } from "../graphql/admin/context.ts";
import { ADMIN_PATHS, createAdminApi } from "../graphql/admin/yoga.ts";
import type { ConsumerContext } from "../graphql/consumer/context.ts";
import { consumerSchemaText } from "../graphql/consumer/schema.ts";
import { createConsumerApi } from "../graphql/consumer/yoga.ts";
import type { CallLanes } from "../graphql/shared/callLanes.ts";
import { readSentKey } from "../modules/applications/checkKey.ts";
import type { Service } from "../modules/service.ts";
import type { RequestRecord } from "../platform/telemetry.ts";
import { currentTrail } from "../platform/trail.ts";
import { asUuid } from "../platform/uuid.ts";
import type { ProviderAdapter } from "../providers/contract.ts";
import { arrivalProblem } from "./adminTransport.ts";
import { connectPages, identityPages } from "./attemptPages.ts";
import { callerAddress } from "./clientAddress.ts";
import { callContext, exchange, whenLeft } from "./graphqlExchange.ts";
import { observedRequest } from "./observedRequest.ts";
import { answerMethod, answerNotFound, answerUnexpected } from "./pages/notFound.ts";
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
  const { throttle, pageThrottle } = lanes;
  const graphql = { service, api: createConsumerApi(lanes), throttle, isCompressed: false };
  const adminEndpoints = createAdminEndpoints(service, lanes);
  const pages = getRequestListener(createPages(dependencies).fetch);
  const servePage = (request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request);
    // Load balancers ask these every few seconds.
    if (PROBES.has(path)) return void pages(request, response);
    void observedRequest(service, "browser", request, async (record) => {
      record.operation = pageName(request.method ?? "", path);
      await pages(request, response);
      if (response.statusCode >= 400) record.code = `HTTP_${response.statusCode}`;
    });
  };
  const refuseMethod = async (request: IncomingMessage, response: ServerResponse) => {
    await pageThrottle.wait(pageOwner("other unknown", request, service), whenLeft(response));
    const text = pathOf(request) === "/graphql" ? `${ONLY_POST} ${SCHEMA_AT}\n` : `${ONLY_POST}\n`;
    response.writeHead(405, { allow: "POST", "content-type": "text/plain; charset=utf-8" }).end(text);
  };
  return (request, response) => {
    requireHttpsFromNowOn(request, response, service.trustedProxies);
    const adminEndpoint = adminEndpoints.get(pathOf(request));
    if (adminEndpoint)
      return request.method === "POST" ? adminEndpoint(request, response) : void refuseMethod(request, response);
    if (pathOf(request) !== "/graphql") return servePage(request, response);
    if (request.method !== "POST") return void refuseMethod(request, response);
    const authorization = request.headersDistinct["authorization"] ?? [];
    void observedRequest(service, "consumer", request, (record) => {
      const context: ConsumerContext = {
        ...callContext(service, request, response, record),
        authorization,
        sentKey: readSentKey(authorization),
        idempotencyKey: asUuid(request.headers[IDEMPOTENCY_KEY_HEADER]?.toString() ?? ""),
        caller: null,
        reader: null,
        isKeyFirst: false,
        isKeyChecked: false,
      };
      return exchange(graphql, request, response, context);
    });
  };
}

type Env = { Bindings: HttpBindings };

const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
/** Statuses of requests that no page serves. */
const UNKNOWN: ReadonlySet<number> = new Set([404, 405]);

function createPages({ service, lanes, isReady, panelFolder }: HttpDependencies): Hono<Env> {
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
  app.get("/schema.graphql", (context) => context.text(consumerSchemaText));
  app.use("*", async (context, next) => {
    await next();
    const { req, res, env } = context;
    const [kind] = pageName(req.method, req.path).split(".", 1);
    const owner = pageOwner(`${kind} ${UNKNOWN.has(res.status) ? "unknown" : "page"}`, env.incoming, service);
    await lanes.pageThrottle.wait(owner, whenLeft(env.outgoing));
  });
  app.use("*", securityHeaders);
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
    const { correlationId } = currentTrail();
    service.logger.error({ error, correlationId, path: context.req.path }, "failed to serve a page");
    return answerUnexpected(context, service);
  });
  return app;
}

function messagesOf({ verifyDeauthorization, verifyWebhook, verifyDataDeletion }: ProviderAdapter) {
  return {
    deauthorization: verifyDeauthorization !== undefined,
    webhook: verifyWebhook !== undefined,
    "data-deletion": verifyDataDeletion !== undefined,
  };
}

/** A network's pages of each kind have their own rate, so that unknown pages do not delay a person in the same network. */
function pageOwner(kind: string, request: IncomingMessage, service: Service): string {
  return `${kind} ${callerAddress(request, service).network}`;
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?", 1)[0] ?? "";
}

/** Sent by a panel page that refreshes itself while no one uses it. */
const UNATTENDED_HEADER = "x-unattended";

type AdminEndpoint = (request: IncomingMessage, response: ServerResponse) => void;

/** The admin schema's two endpoints: the API for keys and the panel's. Both accept only POST. */
function createAdminEndpoints(service: Service, { admin, throttle }: CallLanes): ReadonlyMap<string, AdminEndpoint> {
  const endpoint = (surface: AdminRequest["surface"]): AdminEndpoint => {
    const graphql = { service, api: createAdminApi(surface, admin), throttle, isCompressed: surface === "panel" };
    const respond = (request: IncomingMessage, response: ServerResponse, record: RequestRecord) => {
      const incoming = describeRequest(request, service, surface);
      const context: AdminContext = { ...callContext(service, request, response, record), incoming, actor: null };
      return exchange(graphql, request, response, context);
    };
    const kind = surface === "api" ? "admin" : "panel";
    return (request, response) =>
      void observedRequest(service, kind, request, (record) => respond(request, response, record));
  };
  return new Map((["api", "panel"] as const).map((surface) => [ADMIN_PATHS[surface], endpoint(surface)]));
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

/** The name of a page; `other` for everything that the service does not serve. */
function pageName(method: string, path: string): string {
  return PAGE_NAMES.find(([, ofMethod, shape]) => ofMethod === method && shape.test(path))?.[0] ?? "other";
}
