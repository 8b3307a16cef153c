import type { BrowserErrorPage, ErrorName } from "@social-connect/domain";
import type { Context } from "hono";
import type { Service } from "../../modules/service.ts";
import { answerError } from "./errorPage.ts";
import { localeOfRequest } from "./localeOf.ts";

export function answerNotFound(context: Context, service: Service): Promise<Response> {
  return answerPlain(context, service, "notFound");
}

/** An address of the service that does not have the request's method. */
export function answerMethod(context: Context, service: Service, methods: readonly string[]): Promise<Response> {
  context.header("allow", methods.join(", "));
  return answerPlain(context, service, "notFound", 405);
}

export function answerUnexpected(context: Context, service: Service): Promise<Response> {
  return answerPlain(context, service, "unexpected");
}

/** The process has too much to do. */
export function answerBusy(context: Context, service: Service): Promise<Response> {
  return answerPlain(context, service, "unexpected", 429);
}

/** A page that belongs to no application. */
function answerPlain(
  context: Context,
  { connectHost }: Service,
  name: ErrorName,
  status?: BrowserErrorPage["status"],
): Promise<Response> {
  const publicUrl = new URL(connectHost);
  return answerError(context, name, {
    locale: localeOfRequest(context, publicUrl),
    serviceHost: publicUrl.host,
    brand: null,
    ...(status && { status }),
  });
}
