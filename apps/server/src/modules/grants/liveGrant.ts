import { setTimeout as delay } from "node:timers/promises";
import { decideRenewal, decideRenewed, isUsableAfterFailedRenewal } from "@social-connect/domain";
import {
  type ProviderAdapter,
  ProviderError,
  type ProviderTokens,
  type RegistrationAccess,
  type StoredTokens,
} from "../../providers/contract.ts";
import { registrationAccess } from "../registrations/registrationAccess.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import { isLostGrant, openTokens, sealNewTokens } from "./sealTokens.ts";
import { endRenewal, findGrant, type GrantWithOwner, startRenewal, storeRenewal } from "./store.ts";

const POLL_MS = 100;
/** A token exchange takes at most 10 seconds (see the egress). After that the caller should retry. */
const MAX_POLLS = 150;
const STORE_DELAYS_MS = [0, 100, 400, 1_600, 5_000] as const;

/** A grant whose access token is valid now. */
export interface LiveGrant {
  readonly grant: GrantWithOwner;
  readonly tokens: StoredTokens;
  readonly registration: RegistrationAccess;
}

/**
 * Opens a grant, and first renews an access token that is about to expire or that the provider rejected
 * (`rejectedVersion`). Across all processes, one sends the refresh token and the others wait for the result. Throws
 * ProviderError: `grant_gone` if the grant cannot be used again, `unavailable` for transient failures.
 */
export async function liveGrant(
  service: Service,
  load: () => Promise<GrantWithOwner | null>,
  rejectedVersion: number | null = null,
): Promise<LiveGrant> {
  for (let polls = 0; polls < MAX_POLLS; ) {
    const grant = await load();
    if (grant === null || grant.status === "GONE") throw new ProviderError("grant_gone", "the grant is not active");
    if (isLostGrant(service.secretBox, grant)) {
      throw new ProviderError("grant_gone", "the encryption key of the credential is lost");
    }
    const [now, leaseNow] = await Promise.all([service.clock.now(), service.clock.unmoved()]);
    const adapter = service.provider(grant.registration.provider);
    switch (decideRenewal(grant, adapter.traits, rejectedVersion, now, leaseNow)) {
      case "use":
        return open(service, grant, now);
      case "lost":
        throw new ProviderError("grant_gone", "the access token expired and cannot be renewed");
      case "renew": {
        const current = await renew(service, adapter, grant, rejectedVersion, now);
        if (current !== null) return current;
        break;
      }
      case "wait":
        await delay(POLL_MS);
    }
    polls += 1;
  }
  throw new ProviderError("unavailable", "timed out waiting for another process to renew the grant");
}

/** Opens a grant that has no connection yet; see `liveGrant`. */
export function livePendingGrant(service: Service, grant: RowKey, rejectedVersion?: number | null): Promise<LiveGrant> {
  return liveGrant(service, () => findGrant(service.prisma, grant), rejectedVersion);
}

function open(service: Service, grant: GrantWithOwner, now: Date): LiveGrant {
  const registration = registrationAccess(service, grant.registration, now);
  return { grant, tokens: openTokens(service.secretBox, grant), registration };
}

/** null if another process was first: reload the grant. */
async function renew(
  service: Service,
  adapter: ProviderAdapter,
  grant: GrantWithOwner,
  rejectedVersion: number | null,
  now: Date,
): Promise<LiveGrant | null> {
  const current = open(service, grant, now);
  const startedAt = await startRenewal(service, grant);
  if (startedAt === null) return null;
  let renewed: ProviderTokens;
  try {
    renewed = await adapter.refreshTokens(current.registration, current.tokens);
  } catch (error) {
    // After a refusal, or if the request was never sent, the token can be sent again. Otherwise the provider may have
    // replaced it: where it rotates, the renewal stays announced, as if this process had crashed.
    const isReusable = !adapter.traits.rotatesRefreshToken || isRefused(error);
    await endRenewal(service, grant, startedAt, { isUnanswered: !isAnswer(error), isReusable });
    if (!(error instanceof ProviderError)) throw error;
    error.call = "TOKEN";
    const facts = { ...grant, hasRefreshToken: grant.refreshTokenSealed !== null };
    if (isUsableAfterFailedRenewal(facts, error, rejectedVersion, now)) return current;
    throw error;
  }
  const tokens = sealNewTokens(service.secretBox, grant, renewed);
  const scopes = grant.importLineId === null ? null : renewed.grantedCapabilities;
  const patch = {
    ...decideRenewed(grant, tokens, now),
    ...(scopes !== null && { capabilities: [...scopes] }),
    renewalStartedAt: null,
    renewalUnanswered: false,
  };
  // These may now be the only valid tokens, so the write is retried while the database is unavailable.
  const stored = await persist(() => storeRenewal(service, grant, patch));
  if (!stored) return null;
  return open(service, { ...grant, ...patch }, now);
}

/** The provider has not received the token, or says that the refresh failed. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return error.isUnsent || (error.refusal !== null && (error.refusal.status >= 400 || error.refusal.code !== null));
}

/** The provider refused the refresh, so it did not replace the token. A gateway that fails can have passed it on. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof ProviderError) || error.refusal === null) return false;
  const { status, code } = error.refusal;
  return status < 500 && (status >= 400 || code !== null);
}

async function persist(store: () => Promise<boolean>): Promise<boolean> {
  let lastError: unknown;
  for (const delayMs of STORE_DELAYS_MS) {
    await delay(delayMs);
    try {
      return await store();
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}
