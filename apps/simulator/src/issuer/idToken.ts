import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { IssuerFault } from "@social-connect/provider-fixtures";

export type SigningKeys = ReturnType<typeof loadOrMakeKeys>;

export function loadOrMakeKeys(saved: readonly Record<string, unknown>[]) {
  const published = saved[0] === undefined ? generateRsaKey() : createPrivateKey({ key: saved[0], format: "jwk" });
  const publishedJwk = { ...published.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "simulator-1" };
  let spare: KeyObject | null = null;
  return {
    published,
    publishedJwk,
    /** Never published: for the fault `unknown-key`. */
    secretSpare: () => {
      spare ??= generateRsaKey();
      return spare;
    },
  };
}

function generateRsaKey(): KeyObject {
  return generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const TIMES = ["iat", "exp", "auth_time"];

/** Moves the times of an ID token by the simulator's clock, rewrites its claims and applies faults. */
export function rewriteIdToken(
  idToken: string,
  keys: SigningKeys,
  offsetMs: number,
  faults: ReadonlySet<IssuerFault>,
  rewrite: (claims: Record<string, unknown>) => Record<string, unknown> = (claims) => claims,
): string {
  const [header, issued] = idToken.split(".").slice(0, 2).map(decode);
  if (header === undefined || issued === undefined) return idToken;
  const claims = rewrite(issued);
  const offsetSeconds = Math.round(offsetMs / 1_000);
  for (const name of TIMES) if (typeof claims[name] === "number") claims[name] += offsetSeconds;
  applyFaults(claims, faults);
  if (faults.has("no-signature")) return `${encode({ ...header, alg: "none" })}.${encode(claims)}.`;
  const signed = `${encode(header)}.${encode(claims)}`;
  const key = faults.has("unknown-key") ? keys.secretSpare() : keys.published;
  const signature = sign("sha256", Buffer.from(signed), key);
  if (faults.has("broken-signature")) signature.writeUInt8(signature.readUInt8(7) ^ 0xff, 7);
  return `${signed}.${signature.toString("base64url")}`;
}

function applyFaults(claims: Record<string, unknown>, faults: ReadonlySet<IssuerFault>): void {
  const nowSeconds = typeof claims.iat === "number" ? claims.iat : 0;
  if (faults.has("wrong-nonce")) claims.nonce = "a-nonce-nobody-asked-for";
  if (faults.has("missing-nonce")) delete claims.nonce;
  if (faults.has("wrong-audience")) claims.aud = "another-client";
  if (faults.has("wrong-issuer")) claims.iss = "https://another-issuer.example.test";
  if (faults.has("stale-auth-time")) claims.auth_time = nowSeconds - DAY_SECONDS;
  if (faults.has("expired")) {
    claims.iat = nowSeconds - 2 * HOUR_SECONDS;
    claims.exp = nowSeconds - HOUR_SECONDS;
  }
}

function decode(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
