import {
  CONNECTION_STATUSES,
  type ConnectionStatus,
  JOB_ERROR_CODES,
  SOCIAL_PROVIDERS,
  type SocialProvider,
} from "@social-connect/contract";
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
}

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
