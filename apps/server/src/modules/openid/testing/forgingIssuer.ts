import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type LocalServer, serve } from "@social-connect/testkit";

export type Json = Readonly<Record<string, unknown>>;
export type Answer = (response: ServerResponse) => unknown;
export const CLIENT_SECRET = "the-client-secret-of-the-deployment";
export const KEYS = { published: rsa(), alsoPublished: rsa(), attackers: rsa() };

/** An issuer that forges responses; honest by default. */
export class ForgingIssuer {
  #server: LocalServer | undefined;
  readonly #requests = new Map<string, URLSearchParams>();
  /** The end of its issuer identifier. */
  path = "";
  metadata: Json = {};
  checksVerifier = true;
  /** Its answer to a client that it does not accept. */
  refusesClient: (request: { readonly authorization: string | undefined }) => Answer | null = () => null;
  tokenResponse: Json = {};
  idToken: (claims: Json) => string = (claims) => rs256({}, claims);
  /** Responses that replace the honest ones, by path. */
  readonly answers = new Map<string, Answer>();
  beforeUserInfo: () => Promise<unknown> = async () => undefined;
  tokenCalls = 0;
  readonly tokenRequests: { readonly authorization: string | undefined; readonly body: URLSearchParams }[] = [];
  now: () => Date = () => new Date();

  async listen(): Promise<void> {
    this.#server = await serve((request, response) => void this.#answer(request, response));
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  get name(): string {
    return this.url + this.path;
  }

  beHonest(): void {
    Object.assign(this, { path: "", metadata: {}, tokenResponse: {}, checksVerifier: true, tokenCalls: 0 });
    this.idToken = (claims) => rs256({}, claims);
    this.refusesClient = () => null;
    this.beforeUserInfo = async () => undefined;
    this.answers.clear();
    this.tokenRequests.length = 0;
  }

  /** Simulates consent to an authorization request; returns the code. */
  consent(location: URL): string {
    const code = randomUUID();
    this.#requests.set(code, location.searchParams);
    return code;
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?");
    const body = new URLSearchParams(await text(request));
    if (path === "/token") {
      this.tokenCalls += 1;
      const sent = { authorization: request.headers.authorization, body };
      this.tokenRequests.push(sent);
      const refusal = this.refusesClient(sent);
      if (refusal !== null) return void refusal(response);
    }
    if (path === "/userinfo") await this.beforeUserInfo();
    const answer = this.answers.get(path) ?? this.#honest(path, body);
    answer(response);
  }

  #honest(path: string, body: URLSearchParams): Answer {
    if (path === "/token") return this.#token(body);
    if (path === "/jwks") return json({ keys: [jwk("published"), jwk("alsoPublished")] });
    if (path === "/userinfo") return json({ sub: "person-1", email: "person@example.test", email_verified: true });
    return json({
      issuer: this.name,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/jwks`,
      userinfo_endpoint: `${this.url}/userinfo`,
      id_token_signing_alg_values_supported: ["RS256"],
      ...this.metadata,
    });
  }

  #token(body: URLSearchParams): Answer {
    const asked = this.#requests.get(body.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (asked === undefined || (this.checksVerifier && asked.get("code_challenge") !== challenge)) {
      return json({ error: "invalid_grant" }, 400);
    }
    const now = Math.floor(this.now().getTime() / 1_000);
    const nonce = asked.get("nonce");
    const claims = { iss: this.name, sub: "person-1", aud: "service", iat: now, exp: now + 300, nonce };
    const tokens = { access_token: "access", token_type: "Bearer", id_token: this.idToken(claims) };
    return json({ ...tokens, ...this.tokenResponse });
  }
}

function rsa() {
  return generateKeyPairSync("rsa", { modulusLength: 2_048 });
}

function jwk(kid: "published" | "alsoPublished"): Json {
  return { ...KEYS[kid].publicKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
}

export function rs256(header: Json, claims: Json, key: KeyObject = KEYS.published.privateKey): string {
  const signed = `${encode({ alg: "RS256", kid: "published", ...header })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

export function hs256(claims: Json, secret: string | Buffer): string {
  const signed = `${encode({ alg: "HS256", kid: "published" })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

export function encode(part: Json): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

export function json(body: Json, status = 200): Answer {
  return (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
