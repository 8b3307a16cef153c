import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { sessionTokenOf } from "./panelCookie.ts";

export type ProofSurface = "consumer" | "admin" | "panel";

/** Longer than any key or session. */
const LONGEST_PROOF = 256;

/**
 * Keys and sessions that were valid in an earlier request, as hashes. Being listed allows nothing: each request is
 * authenticated. Its caller only takes no turn among unknown callers.
 */
export class KnownCallers {
  readonly #known = new LRUCache<string, string>({ max: 10_000 });
  readonly #adminUrl: URL;

  constructor(adminUrl: URL) {
    this.#adminUrl = adminUrl;
  }

  /** Names what a request proves itself with; null without it. */
  proofOf(surface: ProofSurface | null, request: IncomingMessage): string | null {
    const text = surface === "panel" ? sessionTokenOf(request, this.#adminUrl) : keyOf(surface, request);
    return text === null || text.length > LONGEST_PROOF ? null : `${surface} ${hash("sha256", text, "base64")}`;
  }

  /** The application or admin; null for a proof that was not valid before. */
  ownerOf(proof: string | null): string | null {
    return (proof !== null && this.#known.get(proof)) || null;
  }

  /** After a request, with the owner of its proof; null: it is not valid. */
  learn(proof: string | null, owner: string | null): void {
    if (proof === null) return;
    if (owner === null) this.#known.delete(proof);
    else this.#known.set(proof, owner);
  }
}

function keyOf(surface: ProofSurface | null, { headersDistinct }: IncomingMessage): string | null {
  const [authorization = null, ...others] = headersDistinct["authorization"] ?? [];
  return surface === null || others.length > 0 ? null : authorization;
}
