import {
  connectionCapabilities,
  connectionImported,
  decideImport,
  IMPORT_CODE_OF_FAULT,
  IMPORT_CODES,
  type ImportCode,
  type ImportLine,
  type ImportRequest,
  importedCapabilities,
  importStartRefusal,
  type ProviderTraits,
} from "@social-connect/domain";
import type { Application, Grant, ProviderRegistration } from "../../_generated/prisma/client.ts";
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
import type { LiveGrant } from "../grants/liveGrant.ts";
import { livePendingGrant } from "../grants/livePendingGrant.ts";
import { QuotaUsedUpError } from "../quota/meteredAccess.ts";
import { takeImportShare } from "../quota/takeImportShare.ts";
import { nextRevocationGeneration } from "../revocations/providerRevocations.ts";
import { keyOf } from "../rowKey.ts";
import type { Service } from "../service.ts";
import {
  endedBy,
  endLine,
  findStarted,
  type ImportResult,
  lockStarted,
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

/** A line that needs no call to a provider. */
export interface PlannedEnd {
  readonly end: ImportResult;
  /** An earlier run has ended it. */
  readonly wasStarted: boolean;
}

/** What is known of a line before its grant is used. */
export interface PlannedLine {
  readonly application: Application;
  readonly registration: ProviderRegistration;
  readonly request: ImportRequest;
  /** The line, if an earlier run has begun it. */
  readonly started: StartedLine | null;
}

/** Decides by what is stored whether the line can be imported. Calls no provider and changes nothing. */
export async function planLine(service: Service, line: ImportLine): Promise<PlannedLine | PlannedEnd> {
  const { prisma } = service;
  const { provider, accountId, scopes } = line;
  const application = await prisma.application.findUnique({ where: { slug: line.client } });
  if (application === null) return { end: endedBy("UNKNOWN_CLIENT"), wasStarted: false };
  const applicationId = application.id;
  const started = await findStarted(service, applicationId, line);
  if (started !== null && started.status !== "PENDING") {
    const { status, connectionId } = started;
    return { end: { status, code: started.code as ImportCode | null, connectionId }, wasStarted: true };
  }
  const { tenantKey, externalSubjectId } = line;
  const subject = { applicationId, tenantKey, externalSubjectId, provider };
  const facts = await readStartFacts(service, subject, accountId);
  const registration = started?.grant?.registration ?? facts.registration;
  if (registration === null) return { end: endedBy("PROVIDER_NOT_AVAILABLE"), wasStarted: false };
  const named = scopes && capabilitiesOf(providerScopes.parse(registration.scopes), scopes);
  const capabilities = importedCapabilities(named, registration, application);
  const request = { ...subject, accountId, registrationId: registration.id, capabilities };
  if (accountId !== null && started === null) {
    const live = { ...subject, liveAccountId: accountId, status: "CONNECTED", grant: { isNot: null } } as const;
    const existing = await prisma.connection.findFirst({ where: live });
    const end = { status: "ALREADY_CONNECTED", code: null, connectionId: existing?.id ?? null } as const;
    if (existing !== null) return { end, wasStarted: false };
  }
  const code = importStartRefusal(request, { ...facts, application });
  return code === null ? { application, registration, request, started } : { end: endedBy(code), wasStarted: false };
}

/**
 * Connects the account of an existing consent, after the provider itself has renewed and named it. Stores each step first, so that
 * a killed import continues and sends nothing twice. Tells no event: nobody has connected an account just now.
 */
export async function importLine(
  service: Service,
  context: ImportContext,
  line: ImportLine,
  planned: PlannedLine,
): Promise<ImportResult> {
  let { started } = planned;
  for (let waits = 0; ; waits += 1) {
    try {
      await takeImportShare(service, planned.registration, context.share);
      started ??= await startLine(service, planned.application.id, planned.registration, line);
      return await prove(service, context, line, { ...planned, started });
    } catch (error) {
      const fault = providerErrorOf(error);
      const { kind, retryAfterSeconds: seconds, message: reason } = fault;
      if (seconds !== null && seconds <= LONGEST_WAIT_SECONDS && waits < MOST_WAITS) {
        if (await context.wait(seconds)) continue;
        return endedBy("STOPPED");
      }
      if (kind === "internal")
        service.logger.error({ err: error, reason }, "a line was not imported because of the service");
      return endedBy(fault instanceof QuotaUsedUpError ? "QUOTA_USED_UP" : IMPORT_CODE_OF_FAULT[kind]);
    }
  }
}

type ProvedLine = PlannedLine & { readonly started: StartedLine };

/** Throws ProviderError if the line can be tried again later. */
async function prove(
  service: Service,
  context: ImportContext,
  line: ImportLine,
  planned: ProvedLine,
): Promise<ImportResult> {
  const { registration, started } = planned;
  const { traits } = service.provider(line.provider);
  const since = await nextRevocationGeneration(service.prisma);
  let consented: ConsentedAccount;
  try {
    consented = await service.breakers.run(registration.id, line.accountId ?? started.id, () =>
      readProved(service, line, planned),
    );
  } catch (error) {
    const fault = providerErrorOf(error);
    const grant = await service.prisma.grant.findFirst({ where: grantOf(started) });
    const code = isRenewalLost(traits, grant) ? "RENEWAL_INTERRUPTED" : IMPORT_CODE_OF_FAULT[fault.kind];
    if (IMPORT_CODES[code] === "LATER") throw error;
    service.logger.info({ kind: fault.kind, reason: fault.message }, "the provider refused an imported grant");
    return service.prisma.$transaction((transaction) => endLine(transaction, started, endedBy(code)));
  }
  return link(service, context, line, { ...planned, since, consented });
}

const grantOf = ({ id, applicationId }: StartedLine) => ({ importLineId: id, applicationId });

/** Renews the grant where that is needed, once, and reads its account. */
async function readProved(
  service: Service,
  line: ImportLine,
  { request, started, registration }: ProvedLine,
): Promise<ConsentedAccount> {
  const { applicationId } = request;
  const { traits } = service.provider(line.provider);
  const stored = await service.prisma.grant.findFirst({ where: grantOf(started) });
  if (stored === null) throw new ProviderError("grant_gone", "the line was erased");
  if (isRenewalLost(traits, stored)) throw new ProviderError("grant_gone", "the renewal was interrupted");
  // No other process renews it: the one that began was killed.
  if (stored.renewalStartedAt !== null)
    await service.prisma.grant.update({ where: keyOf(stored), data: { renewalStartedAt: null } });
  const read = async ({ grant, tokens, registration: access }: LiveGrant) => {
    const granted = connectionCapabilities(request.capabilities, grant.capabilities);
    if (granted.length === 0) throw new ProviderError("scope_missing", "no capability was granted");
    const session = {
      registration: access,
      accessToken: tokens.accessToken,
      providerAccountId: null,
      capabilities: granted,
    };
    const use = { urgency: "background", applicationId, providerAccountId: line.accountId } as const;
    const account = await readConsentedAccount(service, registration, session, use);
    return { grantId: grant.id, tokens, account, granted };
  };
  const isRenewed = stored.version > FIRST_VERSION;
  const first = await livePendingGrant(service, stored, !isRenewed && mustRenew(traits, line) ? FIRST_VERSION : null);
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
function mustRenew({ renewsWith }: ProviderTraits, { scopes, accessTokenExpiresAt }: ImportLine): boolean {
  return renewsWith === "refresh-token" || scopes === null || accessTokenExpiresAt === null;
}

/** The answer to a renewal was lost, and the provider may have replaced the token: it must not be sent again. */
function isRenewalLost(traits: ProviderTraits, grant: Pick<Grant, "renewalStartedAt"> | null): boolean {
  return traits.rotatesRefreshToken && grant !== null && grant.renewalStartedAt !== null;
}

async function link(
  service: Service,
  { actor }: ImportContext,
  line: ImportLine,
  {
    application,
    request,
    started,
    since,
    consented,
  }: ProvedLine & { readonly since: bigint; readonly consented: ConsentedAccount },
): Promise<ImportResult> {
  const { applicationId, provider } = request;
  const now = await service.clock.now();
  return service.prisma.$transaction(async (transaction) => {
    await lockAllUntilCommit(transaction, siblingLocks({ ...request, ...consented.account }, request));
    if ((await lockStarted(transaction, started)) === null) return endedBy("ERASED");
    const facts = await readLinkFacts(service, transaction, { ...request, since }, consented);
    const decision = decideImport(request, facts, service.jitter, now);
    if (decision.code !== null) {
      const result = endedBy(decision.code);
      return result.status === "LATER" ? result : endLine(transaction, started, result);
    }
    const { connectionId, link: linked } = decision;
    if (linked === null)
      return endLine(transaction, started, { status: "ALREADY_CONNECTED", code: null, connectionId });
    for (const followUp of linked.followUps)
      await applyLinkFollowUp(service, transaction, applicationId, followUp, consented, now);
    const connection = { id: connectionId, applicationId };
    await transaction.connection.update({ where: keyOf(connection), data: linked.dates });
    const audited = { id: connectionId, provider, clientSlug: application.slug };
    await recordAudit(transaction, actor, now, connectionImported(audited, line.connectedAt));
    return endLine(transaction, started, { status: "CONNECTED", code: null, connectionId });
  });
}
