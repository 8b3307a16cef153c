export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly client: { readonly baseUrl: string; readonly key: string };
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

/** Throws an Error that names the first wrong variable and the solution, never its value. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const read = (name: string, what: string, isRight = (text: string) => text.trim() !== "", otherwise = "") => {
    const text = environment[name] ?? otherwise;
    if (isRight(text)) return text;
    throw new Error(`${name} is ${text === "" ? "not set" : "wrong"}. Set it to ${what}.`);
  };
  const isReturnPage = (text: string) => isWebAddress(text) && new URL(text).pathname === "/return";
  const returnUrl = read("RETURN_URL", "the registered return URL, like https://app.example.com/return", isReturnPage);
  const origins = (text: string) => text.split(/[\s,]+/).filter(Boolean);
  const areOrigins = (text: string) => origins(text).every(isWebAddress);
  return {
    host: read("HOST", "the address to listen at", undefined, "127.0.0.1"),
    port: Number(read("PORT", "a number from 0 to 65535", isPort, "4403")),
    client: {
      baseUrl: read("SOCIAL_CONNECT_URL", "the service's base address"),
      key: read("SOCIAL_CONNECT_KEY", "the application key that an admin issued"),
    },
    tenantKey: read("SOCIAL_CONNECT_TENANT", "a tenant key registered for the application"),
    returnUrl,
    identityReturnUrl: new URL("/identity-return", returnUrl).href,
    imageOrigins: origins(read("IMAGE_ORIGIN", "origins like https://images.example.com", areOrigins)).map(
      (address) => new URL(address).origin,
    ),
    sessionSecret: read("SESSION_SECRET", "at least 32 random characters", (text) => text.length >= 32),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 65_535;
}
