import { PROVIDER_TRAITS } from "../../../packages/domain/src/index.ts";
import { PROVIDER_FIXTURES } from "../../../packages/provider-fixtures/src/index.ts";
import { control, type SimulatedGrant } from "../../../packages/testkit/src/simulatorControl.ts";
import { grantsOf } from "../../actors/accounts.ts";
import { findGrants } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import type { Account, Known } from "../known.ts";

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
  const { known, simulatorUrl, violate } = context;
  for (const account of known.accounts.values()) {
    const grants = await grantsOf(simulatorUrl, account);
    if (grants.length === 0) continue;
    const history = await findHistory(context, account);
    for (const grant of grants) checkGrant(context, account, grant, history);
    if (!PROVIDER_TRAITS[account.provider].canRevoke || history.connections > 0) continue;
    const left = grants.filter(({ ended }) => ended === null).length;
    const explained = history.cutOff + mayBeLeft(known, account);
    if (left > explained) {
      violate("no grant is left behind", `${account.name} has ${left} at the provider, ${explained} of them explained`);
    }
  }
}

/**
 * Grants that may remain: the receipt reported it, or a later consent replaced it where each consent is a separate
 * grant.
 */
function mayBeLeft(known: Known, { person, provider }: Account): number {
  const isTheirs = ({ account }: { readonly account: string }) => known.accounts.get(account)?.person === person;
  const sessions = [...known.sessions.values()].filter(isTheirs);
  const connections = [...known.connections.values()].filter(isTheirs);
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
  { name, provider, script }: Account,
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

async function findHistory({ known, database }: RunContext, { name, person }: Account): Promise<History> {
  const sessions = [...known.sessions.values()].filter(({ account }) => account === name).map(({ id }) => id);
  const connections = [...known.connections.values()].filter(({ account }) => account === name).map(({ id }) => id);
  const theirs = [...known.accounts.values()]
    .filter((each) => each.person === person)
    .map(({ accountId }) => accountId);
  const { rows } = await database.query<History>(
    `SELECT (SELECT count(*) FROM connection WHERE provider_account_id = ANY($1))::int AS connections,
            (SELECT coalesce(sum(withdrawn), 0) FROM probe.renewal WHERE owner_id = ANY($2::uuid[] || $3::uuid[]))::int AS withdrawn,
            (SELECT count(*) FROM probe.cut_off_exchange cut WHERE attempt_id = ANY($2::uuid[])
                AND NOT EXISTS (SELECT FROM probe.stored_grant stored WHERE stored.attempt_id = cut.attempt_id))::int AS "cutOff"`,
    [theirs, sessions, connections],
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
