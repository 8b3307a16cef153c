import type { SocialConnectOptions } from "@social-connect/sdk";

/** The application's settings, from the environment of a process or the bindings of a worker. */
export interface Settings {
  readonly client: Pick<SocialConnectOptions, "baseUrl" | "key">;
  /** The workspace of this application that its users belong to. */
  readonly tenantKey: string;
  /** Registered with the service; its origin is the one this application is reached at. */
  readonly returnUrl: string;
  /** Signs the session cookie. */
  readonly sessionSecret: string;
}

/** A missing or invalid setting; the message names it and the solution, never its value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

export function readSettings(environment: Readonly<Record<string, unknown>>): Settings {
  const text = (name: string, what: string): string => {
    const value = environment[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    throw new SettingsError(`${name} is not set. Set it to ${what}.`);
  };
  const returnUrl = text("RETURN_URL", "the registered return URL, ending in /return");
  if (!URL.canParse(returnUrl) || new URL(returnUrl).pathname !== "/return") {
    throw new SettingsError("RETURN_URL is not the return page. Set it to one like https://app.example.com/return.");
  }
  const sessionSecret = text("SESSION_SECRET", "at least 32 random characters");
  if (sessionSecret.length < 32) {
    throw new SettingsError("SESSION_SECRET is too short. Set it to at least 32 random characters.");
  }
  return {
    client: {
      baseUrl: text("SOCIAL_CONNECT_URL", "the service's base address"),
      key: text("SOCIAL_CONNECT_KEY", "the application key that an admin issued"),
    },
    tenantKey: text("SOCIAL_CONNECT_TENANT", "a tenant key registered for the application"),
    returnUrl,
    sessionSecret,
  };
}
