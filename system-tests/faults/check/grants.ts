import { PROVIDER_TRAITS, providerSlug } from "../../../packages/domain/src/index.ts";
import { PROVIDER_FIXTURES } from "../../../packages/provider-fixtures/src/index.ts";
import { control, type SimulatedAccount, type SimulatedGrant } from "../../../packages/testkit/src/simulatorControl.ts";
import { findGrants } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import type { AccountFact, Facts } from "../facts.ts";

interface TokenState {
  readonly expired: boolean;
  readonly replaced: boolean;
  readonly ended: object | null;
}

/**
 * What the provider has counted: refreshes of a grant one at a time, no refresh token sent again by a process that could
 * not know how the refresh had ended, and no grant left without an owner.
 */
export async function checkUses(context: RunContext): Promise<void> {
  const { facts, simulatorUrl, violate } = context;
  for (const account of facts.accounts.values()) {
    const path = `/accounts/${providerSlug(account.provider)}/${account.name}`;
    const { grants } = await control<SimulatedAccount>(simulatorUrl, "GET", path);
    if (grants.length === 0) continue;
    const history = await findHistory(context, account);
    for (const grant of grants) checkGrant(context, account, grant, history);
    if (!PROVIDER_TRAITS[account.provider].canRevoke || history.connections > 0) continue;
    const left = grants.filter(({ ended }) => ended === null).length;
    const explained = history.cutOff + mayBeLeft(facts, account);
    if (left > explained) {
      violate("no grant is left behind", `${account.name} has ${left} at the provider, ${explained} of them explained`);
    }
  }
}

/**
 * Grants that may remain: the receipt reported it, or a later consent replaced it where each consent is a separate
 * grant.
 */
function mayBeLeft(facts: Facts, { person, provider }: AccountFact): number {
  const isTheirs = ({ account }: { readonly account: string }) => facts.accounts.get(account)?.person === person;
  const sessions = [...facts.sessions.values()].filter(isTheirs);
  const connections = [...facts.connections.values()].filter(isTheirs);
  const completed = sessions.flatMap(({ finished }) => finished?.connectionId ?? []);
  const isEachConsentAGrant = !PROVIDER_FIXTURES[provider].grantsEndTogether;
  const replaced = isEachConsentAGrant ? completed.length - new Set(completed).size : 0;
  // A grant is also not revoked if its subject has connected again.
  const abandoned = sessions.filter(
    ({ finished, callbacks }) => callbacks > 0 && finished?.connectionId == null,
  ).length;
  const forgotten = isEachConsentAGrant && completed.length > 0 ? abandoned : 0;
  const toRemove = [...sessions, ...connections].filter(({ mustRemoveApp }) => mustRemoveApp).length;
  // Removing the app ends every grant, so a receipt that requests it reports all grants that end together.
  if (!isEachConsentAGrant && toRemove > 0) return Number.POSITIVE_INFINITY;
  return replaced + forgotten + toRemove;
}

function checkGrant(
  { violate }: RunContext,
  { name, provider, script }: AccountFact,
  { uses, ended }: SimulatedGrant,
  { withdrawn }: History,
): void {
  const { rotatesRefreshToken } = PROVIDER_TRAITS[provider];
  if ((rotatesRefreshToken || script === "rotating-refresh") && uses.overlappingRefreshes > 0) {
    violate(
      "one refresh at a time",
      `${name}: ${uses.overlappingRefreshes} of ${uses.refreshes} overlapped with another refresh`,
    );
  }
  // Where tokens rotate, one is sent again only after the provider refused it. Elsewhere, only a script rotates them: a
  // process that has seen its refresh fail may try again.
  const [blind, tolerated] = rotatesRefreshToken ? [uses.blindRefreshes, 0] : [uses.replayedRefreshes, withdrawn];
  if (blind > tolerated) {
    violate("no refresh token is sent blindly", `${name}: ${blind} sent again, ${tolerated} failures seen`);
  }
  if (ended?.cause === "refresh-reused" && tolerated === 0) {
    violate("no grant is lost to a replay", `${name} ended at ${ended.at}`);
  }
}

interface History {
  /**
   * Existing connections of the account or of another account of its owner: a grant that they may share is not revoked.
   */
  readonly connections: number;
  /** Renewals that were withdrawn by the process that saw them fail. */
  readonly withdrawn: number;
  /** Attempts interrupted between the consent and storing the grant. */
  readonly cutOff: number;
}

async function findHistory({ facts, database }: RunContext, { name, person }: AccountFact): Promise<History> {
  const sessions = [...facts.sessions.values()].filter(({ account }) => account === name).map(({ id }) => id);
  const known = [...facts.connections.values()].filter(({ account }) => account === name).map(({ id }) => id);
  const theirs = [...facts.accounts.values()]
    .filter((each) => each.person === person)
    .map(({ accountId }) => accountId);
  const { rows } = await database.query<History>(
    `SELECT (SELECT count(*) FROM connection WHERE provider_account_id = ANY($1))::int AS connections,
            (SELECT coalesce(sum(withdrawn), 0) FROM probe.renewal WHERE owner_id = ANY($2::uuid[] || $3::uuid[]))::int AS withdrawn,
            (SELECT count(*) FROM probe.cut_off_exchange cut WHERE attempt_id = ANY($2::uuid[])
                AND NOT EXISTS (SELECT FROM probe.stored_grant stored WHERE stored.attempt_id = cut.attempt_id))::int AS "cutOff"`,
    [theirs, sessions, known],
  );
  return rows[0] ?? { connections: 0, withdrawn: 0, cutOff: 0 };
}

/**
 * After all reads: the token of a CONNECTED connection is valid at the provider, and that of a RECONNECT_REQUIRED one
 * is not.
 */
export async function checkCredentials(context: RunContext): Promise<void> {
  const { database, encryptionKeys, simulatorUrl, violate } = context;
  for (const { connectionId, status, accountId, token, isRefreshToken, isRenewing } of await findGrants(
    database,
    encryptionKeys,
  )) {
    const about = `${connectionId} (${accountId}) is ${status}`;
    if (token === null) {
      violate("a connection has its grant", about);
      continue;
    }
    const state = await control<TokenState>(simulatorUrl, "POST", "/token", { token });
    const isGood = state.ended === null && !state.replaced && !(!isRefreshToken && state.expired);
    if (status === "CONNECTED" && !isGood) {
      violate("no connection is CONNECTED on a revoked grant", `${about}: ${JSON.stringify(state)}`);
    }
    // A renewal interrupted before its token was sent is indistinguishable from one interrupted afterwards.
    if (status === "RECONNECT_REQUIRED" && isGood && !isRenewing) {
      violate("no living grant is given up", `${about}: ${JSON.stringify(state)}`);
    }
  }
}
