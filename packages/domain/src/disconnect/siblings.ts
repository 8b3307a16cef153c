import type { ConnectionStatus, SocialProvider } from "@social-connect/contract";
import type { SubjectScope } from "../applications/scope.ts";

/** The account behind a grant, and the provider's user where the provider reports one. */
export interface GrantOwner {
  readonly providerAccountId: string;
  readonly providerUserKey: string | null;
}

/** What identifies a connection's grant among the grants that a revoke can end. */
export interface GrantedConnection extends SubjectScope, GrantOwner {
  readonly id: string;
  readonly applicationId: string;
  readonly provider: SocialProvider;
}

/** The columns of a connection that decide whether its access ends. */
export interface ConnectionFacts extends GrantedConnection {
  readonly registrationId: string;
  readonly status: ConnectionStatus;
  readonly suspendedByJobId: string | null;
  /** When the provider reported that the person removed the app. */
  readonly appRemovedAt: Date | null;
  readonly eraseJobId: string | null;
}

/** Selects connections by the values of their columns. The server turns it into a query. */
export interface ConnectionFilter extends Partial<ConnectionFacts> {
  readonly NOT?: Partial<ConnectionFacts>;
  /** At least one of these matches. */
  readonly OR?: Partial<ConnectionFacts>[];
}

export function matchesFilter(
  connection: Partial<ConnectionFacts>,
  { NOT: excluded, OR: alternatives, ...columns }: ConnectionFilter,
): boolean {
  const has = (wanted: Partial<ConnectionFacts>) =>
    Object.entries(wanted).every(([column, value]) => connection[column as keyof ConnectionFacts] === value);
  return has(columns) && !(excluded && has(excluded)) && (alternatives?.some(has) ?? true);
}

/** Statuses in which the connection's grant may be valid. */
export const GRANTED_STATUSES = ["CONNECTED", "SUSPENDED"] as const satisfies readonly ConnectionStatus[];

export function mayHaveGrant(status: ConnectionStatus): boolean {
  return GRANTED_STATUSES.some((one) => one === status);
}

/**
 * The connections whose grants a revoke of this connection's grant may end: those of the same application and provider that
 * share the subject scope, the provider's user if known, or the account. Two subjects can connect one account, and a
 * provider may end all grants of the account together. Applies only where `revokeAffectsSiblings` is set.
 */
export function siblingsOf(connection: GrantedConnection): ConnectionFilter {
  const { id, applicationId, provider, tenantKey, externalSubjectId } = connection;
  return { NOT: { id }, applicationId, provider, OR: [{ tenantKey, externalSubjectId }, ...sameOwner(connection)] };
}

/** Connections through one OAuth client, of any application, that have the same account or user. */
export function connectionsOfOwner(registrationId: string, owner: GrantOwner): ConnectionFilter {
  return { registrationId, OR: sameOwner(owner) };
}

/** The same for the user whom a provider's message names: such providers identify the user by the account. */
export function connectionsOfUser(registrationId: string, providerUserId: string): ConnectionFilter {
  return connectionsOfOwner(registrationId, { providerAccountId: providerUserId, providerUserKey: providerUserId });
}

function sameOwner({ providerAccountId, providerUserKey }: GrantOwner): Partial<ConnectionFacts>[] {
  return [{ providerAccountId }, ...(providerUserKey === null ? [] : [{ providerUserKey }])];
}
