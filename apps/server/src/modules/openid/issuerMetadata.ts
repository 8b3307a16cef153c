import { foreignBoolean, foreignList, foreignScopes } from "@social-connect/domain";
import type { ServerMetadata } from "openid-client";
import type { IssuerAccess } from "../service.ts";

/** How this service can authenticate at a token endpoint, in the order in which it does. */
const SECRET_METHODS = ["client_secret_post", "client_secret_basic", "client_secret_jwt"] as const;

export type AuthenticationMethod = (typeof SECRET_METHODS)[number] | "none";

/** Signatures that are verified with the issuer's published keys. HS256 and `none` are not: OpenID Connect Core 15.1, RFC 8725 2.1. */
const SIGNATURES = /^(?:[RPE]S(?:256|384|512)|EdDSA|Ed25519)$/;

/**
 * The metadata with lists and booleans where its standard has them: some issuers write one text for a list, the text of a
 * boolean, an empty list or null.
 */
export function readableMetadata(metadata: ServerMetadata): ServerMetadata {
  const members = Object.entries(metadata).map(([name, value]) => [name, readableMember(name, value)] as const);
  return { ...Object.fromEntries(members), issuer: metadata.issuer };
}

function readableMember(name: string, value: unknown) {
  if (!name.endsWith("_supported")) return value;
  const list = name === "scopes_supported" ? foreignScopes(value) : value;
  return foreignBoolean(value) ?? foreignList(list) ?? undefined;
}

/**
 * The methods that the metadata offers; `client_secret_basic` where it offers none (OpenID Connect Discovery 3). An issuer
 * accepts the registered method of the client, which is not in the metadata, so there can be several to try.
 */
export function authenticationMethodsOf(metadata: ServerMetadata): readonly AuthenticationMethod[] {
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const usable = SECRET_METHODS.filter((method) => offered.includes(method));
  return usable.length === 0 && offered.includes("none") ? ["none"] : usable;
}

/** S256, unless the issuer says that it only knows `plain`. Issuers that do not know PKCE ignore it (RFC 6749 3.1). */
export function challengeMethodOf(metadata: ServerMetadata): "S256" | "plain" {
  const offered = metadata.code_challenge_methods_supported ?? ["S256"];
  return offered.includes("plain") && !offered.includes("S256") ? "plain" : "S256";
}

/** `form_post` where it is set, or the only one of the two that is offered; null for the default, which is `query`. */
export function responseModeOf(metadata: ServerMetadata, { responseMode }: IssuerAccess): "form_post" | "query" | null {
  if (responseMode) return responseMode;
  const offered = metadata.response_modes_supported ?? ["query"];
  return offered.includes("form_post") && !offered.includes("query") ? "form_post" : null;
}

/** Without scopes that the issuer does not offer, which some reject. `allatclaims` makes AD FS put its claims into the ID token. */
export function scopeOf(metadata: ServerMetadata, wanted: readonly string[]): string {
  const offered = metadata.scopes_supported;
  const optional = [...wanted, "allatclaims"];
  const known = offered === undefined ? wanted : optional.filter((scope) => offered.includes(scope));
  return [...new Set(["openid", "email", ...known])].join(" ");
}

/** What makes every sign-in impossible, and what to do about it; null if nothing does. */
export function unsupportedBy(metadata: ServerMetadata): { readonly problem: string; readonly remedy: string } | null {
  const types = metadata.response_types_supported;
  if (types !== undefined && !types.includes("code")) {
    return unsupported(
      "it does not offer the authorization code flow",
      "Enable the response type `code` at the issuer",
    );
  }
  const modes = metadata.response_modes_supported;
  if (modes !== undefined && !modes.includes("query") && !modes.includes("form_post")) {
    return unsupported(
      "it offers neither of the response modes query and form_post",
      "Enable one of them at the issuer",
    );
  }
  const signatures = metadata.id_token_signing_alg_values_supported;
  if (signatures !== undefined && !signatures.some((name) => SIGNATURES.test(name))) {
    return unsupported(
      `it signs ID tokens only with ${named(signatures)}`,
      "Let the issuer sign with RS256, PS256, ES256 or EdDSA",
    );
  }
  if (authenticationMethodsOf(metadata).length === 0) {
    return unsupported(
      `its token endpoint only accepts ${named(metadata.token_endpoint_auth_methods_supported ?? [])}`,
      "Let the issuer accept client_secret_basic or client_secret_post",
    );
  }
  return null;
}

/** Why no sign-in at this issuer can succeed. Thrown before a browser is redirected. */
export class UnsupportedIssuerError extends Error {
  readonly problem: string;
  readonly remedy: string;

  constructor({ problem, remedy }: { readonly problem: string; readonly remedy: string }) {
    super(`The issuer cannot be used: ${problem}. ${remedy}.`);
    this.name = "UnsupportedIssuerError";
    this.problem = problem;
    this.remedy = remedy;
  }
}

function unsupported(problem: string, remedy: string) {
  return { problem, remedy };
}

/** Names of the metadata as text for an operator; anything else is omitted. */
function named(values: readonly string[]): string {
  return (
    values
      .filter((value) => /^[A-Za-z0-9_-]{1,40}$/.test(value))
      .slice(0, 8)
      .join(", ") || "unknown methods"
  );
}
