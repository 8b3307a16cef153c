import { generateKeyPairSync, sign } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../../platform/secrets/secret.ts";
import type { TestService } from "../testing/testService.ts";
import {
  application,
  encode,
  issuer,
  type Json,
  json,
  service as started,
  useIssuer,
} from "./testing/forgingIssuer.ts";
import { handOff } from "./testing/signIns.ts";

useIssuer();

/** As issuers create them; `+` and `%` have a meaning in a form. */
const SECRET = "secret-1_2.3~4+5%6:7";
const BASIC = `Basic ${Buffer.from("service:secret-1_2.3~4%2B5%256%3A7").toString("base64")}`;
let service: TestService;

beforeEach(() => {
  // The accepted method is remembered for each issuer.
  service = { ...started, issuer: { url: issuer.url, clientId: "service", clientSecret: new Secret(SECRET) } };
});

const METHODS = "token_endpoint_auth_methods_supported";

/** How each token request authenticated. */
function methodsUsed(): string[] {
  return issuer.tokenRequests.map(({ authorization, body }) => {
    if (authorization !== undefined) return authorization === BASIC ? "basic" : authorization;
    if (body.get("client_assertion") !== null) return "jwt";
    return body.get("client_secret") === SECRET ? "post" : "none";
  });
}

describe("the client authenticates as the metadata says", () => {
  test.each<[string, Json, string]>([
    ["nothing", {}, "basic"],
    ["null", { [METHODS]: null }, "basic"],
    ["an empty list", { [METHODS]: [] }, "basic"],
    ["basic", { [METHODS]: ["client_secret_basic"] }, "basic"],
    ["post", { [METHODS]: ["client_secret_post"] }, "post"],
    ["both", { [METHODS]: ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] }, "post"],
    ["a signature with the secret", { [METHODS]: ["private_key_jwt", "client_secret_jwt"] }, "jwt"],
    ["no client authentication", { [METHODS]: ["none"] }, "none"],
  ])("%s", async (_, metadata, used) => {
    issuer.metadata = metadata;
    expect((await handOff(service, application, issuer)).result?.status).toBe("COMPLETED");
    expect(methodsUsed()).toEqual([used]);
    if (used === "none") expect(String(issuer.tokenRequests[0]?.body)).not.toContain("secret-1");
  });
});

describe("an issuer that offers several methods accepts the registered method of the client", () => {
  test.each([
    [400, { error: "invalid_client" }],
    [400, { error: "unauthorized_client" }],
    [401, { error: "access_denied" }],
  ])("and refuses the others with %i %j", async (status, refusal) => {
    issuer.metadata = { [METHODS]: ["client_secret_basic", "client_secret_post"] };
    issuer.refusesClient = ({ authorization }) => (authorization === undefined ? json(refusal, status) : null);
    expect((await handOff(service, application, issuer)).result?.status).toBe("COMPLETED");
    expect(methodsUsed()).toEqual(["post", "basic"]);
    expect((await handOff(service, application, issuer)).result?.status).toBe("COMPLETED");
    expect(methodsUsed()).toEqual(["post", "basic", "basic"]);
  });

  test("a wrong secret is refused with each", async () => {
    issuer.metadata = { [METHODS]: ["client_secret_basic", "client_secret_post", "none"] };
    issuer.refusesClient = () => json({ error: "invalid_client" }, 401);
    expect((await handOff(service, application, issuer)).result?.status).toBe("FAILED");
    expect(methodsUsed()).toEqual(["post", "basic"]);
  });

  test("another error is not retried", async () => {
    issuer.metadata = { [METHODS]: ["client_secret_basic", "client_secret_post"] };
    issuer.refusesClient = () => json({ error: "invalid_grant" }, 400);
    expect((await handOff(service, application, issuer)).result?.status).toBe("FAILED");
    expect(methodsUsed()).toEqual(["post"]);
  });
});

describe("an ID token is verified with the algorithm that the metadata offers", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const KEYS = {
    PS256: rsa,
    RS512: rsa,
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    ES384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
    EdDSA: generateKeyPairSync("ed25519"),
  };
  type Algorithm = keyof typeof KEYS;

  function signed(algorithm: Algorithm, claims: Json): string {
    const text = `${encode({ alg: algorithm, kid: "k" })}.${encode(claims)}`;
    const key = KEYS[algorithm].privateKey;
    const hash = algorithm === "EdDSA" ? null : `sha${algorithm.slice(2)}`;
    const padding = algorithm === "PS256" ? { padding: 6, saltLength: 32 } : {};
    const signature = sign(hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363", ...padding });
    return `${text}.${signature.toString("base64url")}`;
  }

  test.each(Object.keys(KEYS) as Algorithm[])("%s", async (algorithm) => {
    const jwk = { ...KEYS[algorithm].publicKey.export({ format: "jwk" }), kid: "k" };
    issuer.answers.set(
      "/jwks",
      json({
        keys: [
          { ...jwk, use: "enc", alg: "RSA-OAEP" },
          { ...jwk, use: "sig" },
        ],
      }),
    );
    issuer.metadata = { id_token_signing_alg_values_supported: ["HS256", algorithm] };
    issuer.idToken = (claims) => signed(algorithm, claims);
    expect((await handOff(service, application, issuer)).result?.status).toBe("COMPLETED");
    // Another claim invalidates the signature.
    issuer.idToken = (claims) => {
      const [header, , signature] = signed(algorithm, claims).split(".");
      return `${header}.${encode({ ...claims, sub: "person-2" })}.${signature}`;
    };
    expect((await handOff(service, application, issuer)).result?.status).toBe("FAILED");
    // So does an algorithm that is not offered.
    issuer.metadata = { id_token_signing_alg_values_supported: ["RS384"] };
    issuer.idToken = (claims) => signed(algorithm, claims);
    expect((await handOff(service, application, issuer)).result?.status).toBe("FAILED");
  });
});
