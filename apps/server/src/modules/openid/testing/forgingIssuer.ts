import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serve } from "@social-connect/testkit";
import { beforeAll, beforeEach } from "vitest";
import { Secret } from "../../../platform/secrets/secret.ts";
import { createApplication, type TestApplication } from "../../testing/builders.ts";
import { startTestService, type TestService } from "../../testing/testService.ts";

export type Json = Readonly<Record<string, unknown>>;
export type Answer = (response: ServerResponse) => unknown;
export const CLIENT_SECRET = "the-client-secret-of-the-deployment";
export const KEYS = { published: rsa(), alsoPublished: rsa(), attackers: rsa() };

interface TokenRequest {
  readonly authorization: string | undefined;
  readonly body: URLSearchParams;
}

/** How an issuer behaves unless a test changes it. */
const honest = () => ({
  /** The end of its issuer identifier. */
  path: "",
  metadata: {} as Json,
  checksVerifier: true,
  /** Its answer to a client that it does not accept. */
  refusesClient: (_request: TokenRequest): Answer | null => null,
  tokenResponse: {} as Json,
  idToken: (claims: Json) => rs256({}, claims),
  /** Responses that replace the honest ones, by path. */
  answers: new Map<string, Answer>(),
  beforeUserInfo: async (): Promise<unknown> => undefined,
  tokenRequests: [] as TokenRequest[],
});

export type ForgingIssuer = Awaited<ReturnType<typeof startForgingIssuer>>;

/** An issuer that forges responses; honest by default. */
async function startForgingIssuer(now: () => Date) {
  const requests = new Map<string, URLSearchParams>();
  const { url, close } = await serve(async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const sent = { authorization: request.headers.authorization, body: new URLSearchParams(await text(request)) };
    if (path === "/token") issuer.tokenRequests.push(sent);
    if (path === "/userinfo") await issuer.beforeUserInfo();
    const refusal = path === "/token" ? issuer.refusesClient(sent) : null;
    const answer = refusal ?? issuer.answers.get(path) ?? honestAnswer(path, sent.body);
    answer(response);
  });
  const issuer = {
    ...honest(),
    url,
    close,
    get name(): string {
      return url + this.path;
    },
    beHonest: (): void => void Object.assign(issuer, honest()),
    /** Simulates consent to an authorization request; returns the code. */
    consent: (location: URL): string => {
      const code = randomUUID();
      requests.set(code, location.searchParams);
      return code;
    },
  };

  function honestAnswer(path: string, body: URLSearchParams): Answer {
    if (path === "/token") return token(body);
    if (path === "/jwks") return json({ keys: [jwk("published"), jwk("alsoPublished")] });
    if (path === "/userinfo") return json({ sub: "person-1", email: "person@example.test", email_verified: true });
    return json({
      issuer: issuer.name,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      userinfo_endpoint: `${url}/userinfo`,
      id_token_signing_alg_values_supported: ["RS256"],
      ...issuer.metadata,
    });
  }

  function token(body: URLSearchParams): Answer {
    const asked = requests.get(body.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (asked === undefined || (issuer.checksVerifier && asked.get("code_challenge") !== challenge)) {
      return json({ error: "invalid_grant" }, 400);
    }
    const iat = Math.floor(now().getTime() / 1_000);
    const nonce = asked.get("nonce");
    const claims = { iss: issuer.name, sub: "person-1", aud: "service", iat, exp: iat + 300, nonce };
    const tokens = { access_token: "access", token_type: "Bearer", id_token: issuer.idToken(claims) };
    return json({ ...tokens, ...issuer.tokenResponse });
  }

  return issuer;
}

export let issuer: ForgingIssuer;
export let service: TestService;
export let application: TestApplication;

export function useForgingIssuer(): void {
  beforeAll(async () => {
    issuer = await startForgingIssuer(() => service?.clock.current ?? new Date());
    return issuer.close;
  });
  beforeEach(() => issuer.beHonest());
}

/** The issuer, and a service and an application that use it. */
export function useIssuer(): void {
  useForgingIssuer();
  beforeAll(async () => {
    const clientSecret = new Secret(CLIENT_SECRET);
    service = await startTestService({ issuer: { url: issuer.url, clientId: "service", clientSecret } });
    application = await createApplication(service, "shop", { idpIdentityEnabled: true });
    return service.close;
  });
  beforeEach(() => service.prisma.identityAttempt.deleteMany());
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
