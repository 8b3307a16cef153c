import { createHash } from "node:crypto";
import { HOUR_MS, type TimeSource } from "../shared/clock.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { Grant } from "./grants.ts";

export interface CodeContents {
  readonly provider: ProviderKey;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly accountName: string;
  readonly scopes: readonly string[];
  /** The S256 challenge of the request, or null. */
  readonly codeChallenge: string | null;
  /** Whether a refresh token was requested and may be issued (provider A). */
  readonly offline: boolean;
}

interface StoredCode {
  readonly contents: CodeContents;
  readonly expiresAtMs: number;
  used: boolean;
  grant: Grant | null;
}

export type Redemption =
  /** `use` consumes the code; until then it is valid, so that a failed exchange can be retried. */
  | { readonly outcome: "good"; readonly contents: CodeContents; use(grant: Grant): void }
  | { readonly outcome: "unknown" | "expired" | "wrong-client" | "wrong-redirect" | "wrong-verifier" }
  /** `grant` was issued for the first use; the caller ends it (RFC 6749, 4.1.2). */
  | { readonly outcome: "used"; readonly grant: Grant | null };

export interface Attempt {
  readonly provider: ProviderKey;
  readonly clientId: string;
  readonly redirectUri: string | null;
  readonly codeVerifier: string | null;
  /** The provider's encoding of the hash: base64url as in RFC 7636, hexadecimal at provider B. */
  readonly challengeEncoding: "base64url" | "hex";
}

/** How long an expired code is distinguished from an unknown one. */
const RETENTION_MS = HOUR_MS;

/** Authorization codes: single-use, short-lived, and bound to a client and a redirect URL. */
export type Codes = ReturnType<typeof createCodes>;

export function createCodes(clock: TimeSource) {
  const codes = new Map<string, StoredCode>();
  return {
    store: (code: string, contents: CodeContents, lifetimeMs: number): void => {
      const nowMs = clock.now().getTime();
      for (const [old, { expiresAtMs }] of codes) if (expiresAtMs + RETENTION_MS < nowMs) codes.delete(old);
      codes.set(code, { contents, expiresAtMs: nowMs + lifetimeMs, used: false, grant: null });
    },
    redeem: (code: string, attempt: Attempt): Redemption => {
      const stored = codes.get(code);
      if (stored === undefined || stored.contents.provider !== attempt.provider) return { outcome: "unknown" };
      const { contents } = stored;
      if (contents.clientId !== attempt.clientId) return { outcome: "wrong-client" };
      if (stored.used) return { outcome: "used", grant: stored.grant };
      if (stored.expiresAtMs <= clock.now().getTime()) return { outcome: "expired" };
      if (contents.redirectUri !== attempt.redirectUri) return { outcome: "wrong-redirect" };
      if (!verifierMatches(contents.codeChallenge, attempt)) return { outcome: "wrong-verifier" };
      return {
        outcome: "good",
        contents,
        use: (grant) => {
          stored.used = true;
          stored.grant = grant;
        },
      };
    },
    accountNameOf: (code: string, provider: ProviderKey): string | undefined => {
      const contents = codes.get(code)?.contents;
      return contents?.provider === provider ? contents.accountName : undefined;
    },
    clear: () => codes.clear(),
  };
}

/** RFC 7636, 4.6. Also rejects a verifier without a challenge (RFC 9700, 2.1.1). */
function verifierMatches(codeChallenge: string | null, { codeVerifier, challengeEncoding }: Attempt): boolean {
  if (codeChallenge === null) return codeVerifier === null;
  if (codeVerifier === null || !/^[A-Za-z0-9\-._~]{43,128}$/.test(codeVerifier)) return false;
  return createHash("sha256").update(codeVerifier).digest(challengeEncoding) === codeChallenge;
}
