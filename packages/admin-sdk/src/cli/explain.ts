import { printable } from "@social-connect/contract";
import { ProtocolError, SocialConnectError, TransportError } from "@social-connect/sdk-core";
import { DeclarationError } from "../declaration/declarationError.ts";
import { PlanRefusedError, StalePlanError } from "../plan/planErrors.ts";
import { ForbiddenError, UnauthenticatedError, UpstreamUnavailableError } from "../wire/serviceErrors.ts";
import { EXIT, type ExitCode } from "./exitCodes.ts";
import { HOST_VARIABLE, NoInputError, NoOutputError, UsageError } from "./usage.ts";

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NoInputError) return EXIT.noInput;
  if (error instanceof NoOutputError) return EXIT.noOutput;
  if (error instanceof DeclarationError) return EXIT.declaration;
  if (error instanceof StalePlanError) return EXIT.stale;
  if (error instanceof PlanRefusedError) return EXIT.refused;
  if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return EXIT.notPermitted;
  if (error instanceof UpstreamUnavailableError) return EXIT.unavailable;
  return error instanceof SocialConnectError ? BY_KIND[error.kind] : EXIT.internal;
}

const BY_KIND = {
  service: EXIT.failed,
  transport: EXIT.unavailable,
  timeout: EXIT.unavailable,
  protocol: EXIT.protocol,
  configuration: EXIT.configuration,
} as const satisfies Record<SocialConnectError["kind"], ExitCode>;

/** The printed text of an error. An unexpected error shows only its kind: its message may contain secrets. */
export function describeError(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} See \`social-connect-admin --help\`.`;
  if (error instanceof NoInputError || error instanceof NoOutputError) return error.message;
  if (!(error instanceof SocialConnectError)) return `Unexpected error (${nameOf(error)}). Please report it.`;
  const message = error instanceof ProtocolError ? error.message.replace(/check host\b/i, CHECK_HOST) : error.message;
  const lines = message.split("\n").map(printable);
  const correlation = error.correlationId === undefined ? [] : [`Correlation id: ${error.correlationId}`];
  const hint = error instanceof TransportError ? [hintFor(error)] : [];
  return [...lines, ...hint, ...correlation].join("\n");
}

/** The client names its option. */
const CHECK_HOST = `check ${HOST_VARIABLE}`;

function hintFor({ problem }: TransportError): string {
  if (problem === "CERTIFICATE_REFUSED") return `The host is that of ${HOST_VARIABLE}.`;
  if (problem === "TLS_FAILED") return `The server does not use TLS. Check the scheme and port in ${HOST_VARIABLE}.`;
  return `Check the host in ${HOST_VARIABLE} and whether the service is running.`;
}

/** The error as JSON. */
export function errorAsJson(error: unknown): unknown {
  if (error instanceof SocialConnectError) return error;
  return { name: nameOf(error), message: describeError(error) };
}

function nameOf(error: unknown): string {
  return typeof error === "object" && error !== null ? error.constructor.name : typeof error;
}
