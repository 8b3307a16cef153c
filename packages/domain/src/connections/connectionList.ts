import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  JOB_ERROR_CODES,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
import type { ShownCause } from "./connectionCause.ts";
import { STORED_SYNC_STATUSES, type StoredSyncStatus } from "./syncStatus.ts";

export interface ConnectionListFilter {
  readonly clientSlug?: string | null | undefined;
  /** Only with a client: two clients may use the same key. */
  readonly tenantKey?: string | null | undefined;
  readonly registrationId?: string | null | undefined;
  readonly provider?: SocialProvider | null | undefined;
  readonly status?: ConnectionStatus | null | undefined;
  readonly syncStatus?: StoredSyncStatus | null | undefined;
  readonly errorCode?: string | null | undefined;
  /** Only connections that will need a reconnect within RECONNECT_NOTICE_MS. */
  readonly reconnectForeseen?: boolean | null | undefined;
  /** Linked at this time or later. */
  readonly from?: Date | null | undefined;
  /** Linked before this time. */
  readonly to?: Date | null | undefined;
  readonly cause?: ShownCause | null | undefined;
  /** With a cause since this time or later. */
  readonly causeFrom?: Date | null | undefined;
  /** With a cause since before this time. */
  readonly causeTo?: Date | null | undefined;
  /** The client's complete id of its user. */
  readonly externalSubjectId?: string | null | undefined;
  /** Only with a client, whose rules must allow the profile. Upper case and a leading @ do not count. */
  readonly handle?: string | null | undefined;
}

/** A column by which the list is sorted. Connections without a cause follow those with one. */
export const CONNECTION_ORDERS = ["USER", "CLIENT", "CAUSE", "SINCE"] as const;
export type ConnectionOrder = (typeof CONNECTION_ORDERS)[number];

export interface ConnectionListOrder {
  readonly by: ConnectionOrder;
  readonly isDescending: boolean;
}

/** The order of a list. null: needed reconnects first, then the newest. With a cause, the latest to have it come first. */
export function connectionListOrder(
  { cause, causeFrom, causeTo }: ConnectionListFilter,
  chosen: { readonly order?: ConnectionOrder | null | undefined; readonly descending?: boolean | null | undefined },
): ConnectionListOrder | null {
  if (chosen.order != null) return { by: chosen.order, isDescending: chosen.descending === true };
  const hasCause = (cause != null && cause !== "NOT_RECORDED") || causeFrom != null || causeTo != null;
  return hasCause ? { by: "SINCE", isDescending: true } : null;
}

/** What the list is counted by. */
export const CONNECTION_GROUPINGS = ["CLIENT", "CAUSE"] as const;
export type ConnectionGrouping = (typeof CONNECTION_GROUPINGS)[number];

/** Connections that need a reconnect are listed first. */
export function connectionRank(status: ConnectionStatus): 0 | 1 {
  return status === "RECONNECT_REQUIRED" ? 0 : 1;
}

/** Every state that a filter admits. Only a failed scan has a code. */
export function listedStates({ provider, status, syncStatus, errorCode }: ConnectionListFilter) {
  const only = <Value>(values: readonly Value[], value: unknown) =>
    value == null ? values : values.filter((one) => one === value);
  return only(SOCIAL_PROVIDERS, provider).flatMap((oneProvider) =>
    only(CONNECTION_STATUSES, status).flatMap((oneStatus) =>
      only(STORED_SYNC_STATUSES, syncStatus).flatMap((oneSyncStatus) =>
        only(oneSyncStatus === "FAILED" ? [null, ...JOB_ERROR_CODES] : [null], errorCode).map((scanErrorCode) => ({
          ...{ provider: oneProvider, status: oneStatus, syncStatus: oneSyncStatus },
          scanErrorCode,
        })),
      ),
    ),
  );
}
