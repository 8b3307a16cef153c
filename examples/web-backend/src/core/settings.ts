import type { SocialConnectOptions } from "@social-connect/sdk";

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly client: Pick<SocialConnectOptions, "baseUrl" | "key">;
  /** The workspace of this application that its users belong to. */
  readonly tenantKey: string;
  /** Registered with the service; its origin is the one this application is reached at. */
  readonly returnUrl: string;
  /** Registered too: where the browser returns from the identity provider's sign-in. */
  readonly identityReturnUrl: string;
  /** Where thumbnails and avatars may be loaded from, as in a content security policy. */
  readonly imageOrigins: readonly string[];
  /** Signs the session cookie. */
  readonly sessionSecret: string;
}

/** A missing or invalid setting; the message names the variable and the solution, never its value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readSettings(environment: Environment): Settings {
  const returnUrl = returnUrlOf(required(environment, "RETURN_URL", "the registered return URL, ending in /return"));
  return {
    host: environment.HOST ?? "127.0.0.1",
    port: portOf(environment.PORT ?? "4403"),
    client: {
      baseUrl: required(environment, "SOCIAL_CONNECT_URL", "the service's base address"),
      key: required(environment, "SOCIAL_CONNECT_KEY", "the application key that an admin issued"),
    },
    tenantKey: required(environment, "SOCIAL_CONNECT_TENANT", "a tenant key registered for the application"),
    returnUrl,
    identityReturnUrl: new URL("/identity-return", returnUrl).href,
    imageOrigins: (environment.IMAGE_ORIGIN ?? "")
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(originOf),
    sessionSecret: sessionSecretOf(required(environment, "SESSION_SECRET", "at least 32 random characters")),
  };
}

function required(environment: Environment, name: string, what: string): string {
  const value = environment[name];
  if (value === undefined || value.trim() === "") throw new SettingsError(`${name} is not set. Set it to ${what}.`);
  return value;
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new SettingsError("PORT is not a port. Set it to a number from 0 to 65535.");
}

function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

function returnUrlOf(text: string): string {
  if (webUrl(text)?.pathname === "/return") return text;
  throw new SettingsError(
    "RETURN_URL is not the return page. Set it to an address like https://app.example.com/return.",
  );
}

function originOf(text: string): string {
  const origin = webUrl(text)?.origin;
  if (origin !== undefined) return origin;
  throw new SettingsError("IMAGE_ORIGIN is not a list of origins. Set it to origins like https://images.example.com.");
}

function sessionSecretOf(text: string): string {
  if (text.length >= 32) return text;
  throw new SettingsError("SESSION_SECRET is too short. Set it to at least 32 random characters.");
}
