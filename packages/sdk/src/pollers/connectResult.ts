import { shapeError } from "@social-connect/sdk-core";
import type { ConnectResult, SubjectScope } from "../_generated/types.ts";
import type { SettledConnectResult } from "../types/settled.ts";
import { exchange } from "../wire/call.ts";
import type { Settings } from "../wire/settings.ts";
import { Poller } from "./poller.ts";
import { CONNECT_INTERVAL } from "./pollInterval.ts";
import type { SavedPoller } from "./saved.ts";

const UNFINISHED: readonly string[] = ["CREATED", "AUTHORIZING", "EXCHANGING"];

/** Waits for the user to complete an attempt at the provider. The service expires an attempt at its `expiresAt`. */
export class ConnectResultPoller extends Poller<ConnectResult, SettledConnectResult> {
  /** The id of the attempt. */
  readonly id: string;
  readonly #scope: SubjectScope;

  constructor(settings: Settings, scope: SubjectScope, id: string) {
    super(settings, {
      operation: "connectSessionResult",
      read: (options) => exchange(settings, "connectSessionResult", { scope, id }, options),
      settled: settledConnectResult,
      unfinished: (state) => UNFINISHED.includes(state.status),
      interval: CONNECT_INTERVAL,
    });
    this.id = id;
    this.#scope = scope;
  }

  /** Ids only, for `SocialConnect.resume`. */
  toJSON(): SavedPoller<"connect-result"> {
    return { kind: "connect-result", scope: this.#scope, id: this.id };
  }
}

function settledConnectResult(state: ConnectResult): SettledConnectResult | undefined {
  const { connectionId } = state;
  // Typed as string, so that a comparison narrows the type.
  const status: string = state.status;
  switch (status) {
    case "COMPLETED":
      if (connectionId !== null) return { ...state, status, connectionId };
      throw shapeError("connectSessionResult", "A completed attempt has no connection.");
    case "DENIED":
    case "FAILED":
    case "EXPIRED":
    case "CANCELED":
      return { ...state, status };
    default:
      return undefined;
  }
}
