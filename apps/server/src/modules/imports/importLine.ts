import {
  connectionCapabilities,
  connectionImported,
  decideImport,
  IMPORT_CODE_OF_FAULT,
  IMPORT_CODES,
  type ImportCode,
  type ImportLine,
  importedCapabilities,
  linkAccountRefusal,
  type ProviderTraits,
} from "@social-connect/domain";
import type { Application, Grant } from "../../_generated/prisma/client.ts";
import { lockAllUntilCommit } from "../../platform/database/locks.ts";
import { ProviderError } from "../../providers/contract.ts";
import { providerScopes } from "../../providers/registration.ts";
import { capabilitiesOf } from "../../providers/scopes.ts";
import { providerErrorOf } from "../../providers/serviceFault.ts";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { applyLinkFollowUp, type ConsentedAccount, readLinkFacts, readStartFacts } from "../connect/linkAccount.ts";
import { readConsentedAccount } from "../connect/readConsentedAccount.ts";
import { siblingLocks } from "../connections/locks.ts";
import { type LiveGrant, livePendingGrant } from "../grants/liveGrant.ts";
import { QuotaUsedUpError } from "../quota/meteredAccess.ts";
import { takeImportShare } from "../quota/takeImportShare.ts";
import { nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import {
  endedAs,
  endedBy,
  endLine,
  type ImportResult,
  lockPending,
  type PlannedLine,
  type StartedLine,
  startLine,
} from "./importRow.ts";

export interface ImportContext {
  readonly actor: AdminActor;
  /** The part of each registration's quota that the import may use, from 0 to 1. */
  readonly share: number;
  /** Waits; false if the import stops. */
  readonly wait: (seconds: number) => Promise<boolean>;
}

/** A longer wait is left to the next run. */
const LONGEST_WAIT_SECONDS = 60;
const MOST_WAITS = 5;

/** Decides by what is stored whether the line can be imported. Calls no provider and changes nothing. */
export async function planLine(
  service: Service,
  line: ImportLine,
  application: Application,
  started: StartedLine | null,
): Promise<PlannedLine | ImportResult> {
  if (started !== null && started.status !== "PENDING") {
    const { status, connectionId } = started;
    return { status, code: started.code as ImportCode | null, connectionId };
  }
  const { provider, accountId, scopes, tenantKey, externalSubjectId } = line;
  const subject = { applicationId: application.id, tenantKey, externalSubjectId, provider };
  const facts = await readStartFacts(service, subject, accountId);
  const registration = started?.grant?.registration ?? facts.registration;
  if (registration === null) return endedBy("PROVIDER_NOT_AVAILABLE");
  const named = scopes && capabilitiesOf(providerScopes.parse(registration.scopes), scopes);
  const capabilities = importedCapabilities(named, registration, application);
  const request = { ...subject, accountId, registrationId: registration.id, capabilities };
  if (accountId !== null && started === null) {
    const live = { ...subject, liveAccountId: accountId, status: "CONNECTED", grant: { isNot: null } } as const;
    const existing = await service.prisma.connection.findFirst({ where: live });
    if (existing !== null) return endedAs("ALREADY_CONNECTED", existing.id);
  }
  const known = { ...facts, application, granted: capabilities, isAccountRevoked: false };
  const code = linkAccountRefusal(request, known);
  return code === null ? { line, application, registration, request, started } : endedBy(code);
}

/**
 * Connects the account of an existing consent, after the provider itself has renewed and named it. Stores each step first, so that
 * a killed import continues and sends nothing twice. Tells no event: nobody has connected an account just now.
 */
export async function importLine(
  service: Service,
  { actor, share, wait }: ImportContext,
  planned: PlannedLine,
): Promise<ImportResult> {
  let { started } = planned;
  for (let waits = 0; ; waits += 1) {
    try {
      await takeImportShare(service, planned.registration, share);
      started ??= await startLine(service, planned);
      return await prove(service, actor, { ...planned, started });
    } catch (error) {
      const fault = providerErrorOf(error);
      const { kind, retryAfterSeconds: seconds, message: reason } = fault;
      if (seconds !== null && seconds <= LONGEST_WAIT_SECONDS && waits < MOST_WAITS) {
        if (await wait(seconds)) continue;
        return endedBy("STOPPED");
      }
      if (kind === "internal")
        service.logger.error({ err: error, reason }, "a line was not imported because of the service");
      return endedBy(fault instanceof QuotaUsedUpError ? "QUOTA_USED_UP" : IMPORT_CODE_OF_FAULT[kind]);
    }
  }
}

type StartedPlan = PlannedLine & { readonly started: StartedLine };

/** Throws ProviderError if the line can be tried again later. */
async function prove(service: Service, actor: AdminActor, planned: StartedPlan): Promise<ImportResult> {
  const { line, registration, started } = planned;
  const since = await nextRevocationGeneration(service.prisma);
  let consented: ConsentedAccount;
  try {
    consented = await service.breakers.run(registration.id, line.accountId ?? started.id, () =>
      readProved(service, planned),
    );
  } catch (error) {
    const { kind, message: reason } = providerErrorOf(error);
    const grant = await service.prisma.grant.findFirst({ where: grantOf(started) });
    const code = isRenewalLost(service, line, grant) ? "RENEWAL_INTERRUPTED" : IMPORT_CODE_OF_FAULT[kind];
    if (IMPORT_CODES[code] === "LATER") throw error;
    service.logger.info({ kind, reason }, "the provider refused an imported grant");
    return service.prisma.$transaction((transaction) => endLine(transaction, started, endedBy(code)));
  }
  return link(service, actor, planned, { ...consented, since });
}

const grantOf = ({ id, applicationId }: StartedLine) => ({ importLineId: id, applicationId });

/** Renews the grant where that is needed, once, and reads its account. */
async function readProved(
  service: Service,
  { line, request, started, registration }: StartedPlan,
): Promise<ConsentedAccount> {
  const stored = await service.prisma.grant.findFirst({ where: grantOf(started) });
  if (stored === null) throw new ProviderError("grant_gone", "the line was erased");
  if (isRenewalLost(service, line, stored)) throw new ProviderError("grant_gone", "the renewal was interrupted");
  // No other process renews it: the one that began was killed.
  if (stored.renewalStartedAt !== null)
    await service.prisma.grant.update({ where: keyOf(stored), data: { renewalStartedAt: null } });
  const read = async ({ grant, tokens, registration: access }: LiveGrant) => {
    const granted = connectionCapabilities(request.capabilities, grant.capabilities);
    if (granted.length === 0) throw new ProviderError("scope_missing", "no capability was granted");
    const session = { registration: access, accessToken: tokens.accessToken, capabilities: granted };
    const { applicationId } = request;
    const use = { urgency: "background", applicationId, providerAccountId: line.accountId } as const;
    const account = await readConsentedAccount(service, registration, { ...session, providerAccountId: null }, use);
    return { grantId: grant.id, tokens, account, granted };
  };
  const mustRenew = stored.version === FIRST_VERSION && isRenewedFirst(service.provider(line.provider).traits, line);
  const first = await livePendingGrant(service, stored, mustRenew ? FIRST_VERSION : null);
  try {
    return await read(first);
  } catch (error) {
    const isOutdated = error instanceof ProviderError && error.kind === "access_expired";
    if (!isOutdated || first.grant.version > FIRST_VERSION) throw error;
    return read(await livePendingGrant(service, stored, FIRST_VERSION));
  }
}

const FIRST_VERSION = 1;

/**
 * A refresh token is used even if the access token is valid: only that proves that the registration's client has the grant, and
 * names its scopes. An access token that renews itself is renewed if its scopes or its end are unknown.
 */
function isRenewedFirst({ renewsWith }: ProviderTraits, { scopes, accessTokenExpiresAt }: ImportLine): boolean {
  return renewsWith === "refresh-token" || scopes === null || accessTokenExpiresAt === null;
}

/** The answer to a renewal was lost, and the provider may have replaced the token: it must not be sent again. */
function isRenewalLost(service: Service, { provider }: ImportLine, grant: Grant | null): boolean {
  return service.provider(provider).traits.rotatesRefreshToken && grant !== null && grant.renewalStartedAt !== null;
}

async function link(
  service: Service,
  actor: AdminActor,
  { line, application, request, started }: StartedPlan,
  consented: ConsentedAccount & { readonly since: bigint },
): Promise<ImportResult> {
  const { applicationId, provider } = request;
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    await lockAllUntilCommit(transaction, siblingLocks({ ...request, ...consented.account }, request));
    if (!(await lockPending(transaction, started))) return endedBy("ERASED");
    const facts = await readLinkFacts(service, transaction, { ...request, since: consented.since }, consented);
    const decision = decideImport(request, facts, service.jitter, now);
    const { connectionId } = facts;
    if (decision === "ALREADY_CONNECTED") return endLine(transaction, started, endedAs(decision, connectionId));
    if (typeof decision === "string") {
      const result = endedBy(decision);
      return result.status === "LATER" ? result : endLine(transaction, started, result);
    }
    for (const followUp of decision.followUps)
      await applyLinkFollowUp(service, transaction, applicationId, followUp, consented, now);
    await transaction.connection.update({ where: keyOf({ id: connectionId, applicationId }), data: decision.dates });
    const audited = { id: connectionId, provider, clientSlug: application.slug };
    const audit = connectionImported(audited, line.connectedAt, facts.existing?.status ?? null);
    await recordAudit(transaction, actor, now, audit);
    return endLine(transaction, started, endedAs("CONNECTED", connectionId));
  });
}
