import type { ErrorName } from "@social-connect/domain";
import type { Context } from "hono";
import type { Service } from "../../modules/service.ts";
import { answerError } from "./errorPage.ts";
import { localeOfRequest } from "./localeOf.ts";

export function answerNotFound(context: Context, service: Service): Promise<Response> {
  return answerPlain(context, service, "notFound");
}

export function answerUnexpected(context: Context, service: Service): Promise<Response> {
  return answerPlain(context, service, "unexpected");
}

/** A page that belongs to no application. */
function answerPlain(context: Context, { connectHost }: Service, name: ErrorName): Promise<Response> {
  const publicUrl = new URL(connectHost);
  return answerError(context, name, {
    locale: localeOfRequest(context, publicUrl),
    serviceHost: publicUrl.host,
    brand: null,
  });
}
