import {
  CAPABILITIES,
  type Capability,
  type ConnectCreatorAction,
  type ConnectResultCode,
  type ConnectSessionStatus,
} from "@social-connect/contract";
import {
  CONNECT_ATTEMPT_TRANSITIONS,
  type ConnectAttemptEvent,
  hasPassed,
  isUnfinished,
  moveAttempt,
} from "@social-connect/domain";
import { grantedScopes } from "@social-connect/provider-fixtures";
import { move } from "../modules/connect/attempts.ts";
import { createPendingGrant, exchange, startedExchange } from "../modules/connect/completeConnect.ts";
import { abandonAttempt, launch } from "../modules/connect/connectSessions.ts";
import { registrationOf } from "../modules/registrations/findRegistration.ts";
import { findAccount } from "../providers/accounts.ts";
import { PROVIDERS } from "../providers/providers.ts";
import { requestedScopes } from "../providers/scopes.ts";
import type { ConnectAttempt } from "../state/state.ts";
import { createGrant } from "../upstream/grants.ts";
import { found, MockMisuseError, notNow, oneOf } from "../util/misuse.ts";
import { runImmediately } from "../world/schedule.ts";
import type { World } from "../world/world.ts";
import { accountFor } from "./accountControl.ts";
import { fieldsOf } from "./fields.ts";

/** The state of a connect attempt. */
export interface ConnectAttemptView {
  /** The connect session's id. */
  readonly id: string;
  /** The status in `connectSessionResult`. */
  readonly status: ConnectSessionStatus;
  /** The reason of the final status; null while it is unfinished, and when it is COMPLETED. */
  readonly resultCode: ConnectResultCode | null;
  /** Set when it is COMPLETED. */
  readonly connectionId: string | null;
  /** REMOVE_APP_AT_PROVIDER when only the creator can revoke the consent. */
  readonly creatorAction: ConnectCreatorAction | null;
}

/** The default account. */
export const DEFAULT_ACCOUNT = "channel-1";

const FAILURES = {
  PROVIDER_ERROR: "CALLBACK_ERROR",
  NOT_A_TESTER: "NOT_A_TESTER",
  ACCOUNT_MISMATCH: "ACCOUNT_MISMATCH",
  EXCHANGE_FAILED: "EXCHANGE_REFUSED",
  PROVIDER_UNAVAILABLE: "PROVIDER_UNAVAILABLE",
  POLICY_CHANGED: "POLICY_CHANGED",
} as const satisfies Partial<Record<ConnectResultCode, ConnectAttemptEvent>>;
/** Result codes of `fail`. */
export type ConnectFailure = keyof typeof FAILURES;

const CANCELLATIONS = {
  USER_DENIED: "TURNED_BACK",
  SUPERSEDED: "SUPERSEDED",
  RECONNECT_TARGET_GONE: "RECONNECT_TARGET_GONE",
  APPLICATION_DISABLED: "APPLICATION_DISABLED",
} as const satisfies Partial<Record<ConnectResultCode, ConnectAttemptEvent>>;
/** Result codes of `cancel`. */
export type ConnectCancellation = keyof typeof CANCELLATIONS;

/** Failures after consent, when a grant exists. */
const AFTER_CONSENT: readonly string[] = ["NOT_A_TESTER", "ACCOUNT_MISMATCH", "POLICY_CHANGED"];

/** Controls a connect attempt in place of the person and the browser. */
export class ConnectControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#attempt();
  }

  /** The current state of the attempt. */
  get state(): ConnectAttemptView {
    const { id, status, resultCode, connectionId, creatorAction } = this.#attempt();
    return { id, status, resultCode, connectionId, creatorAction };
  }

  /** The browser posts the launch form: CREATED becomes AUTHORIZING. */
  launch(): ConnectAttemptView {
    const attempt = this.#unfinished("be launched");
    if (attempt.status !== "CREATED") throw this.#notNow(attempt, "be launched");
    this.#launch(attempt);
    return this.state;
  }

  /** The provider redirects with a code, and the exchange stays unfinished: EXCHANGING. */
  exchanging(): ConnectAttemptView {
    this.#toExchanging("be exchanging its code");
    return this.state;
  }

  /**
   * The person consents with this account, and the service completes the attempt. A scripted account, such as
   * `not-a-tester`, can end it otherwise: check the status.
   */
  complete(
    options: { readonly account?: string; readonly capabilities?: readonly Capability[] } = {},
  ): ConnectAttemptView {
    const { account: name = DEFAULT_ACCOUNT, capabilities } = fieldsOf(options, {
      account: "string",
      capabilities: { each: CAPABILITIES },
    });
    const before = this.#unfinished("be completed");
    for (const capability of capabilities ?? []) oneOf(capability, before.capabilities, "requested capability");
    const account = accountFor(before.provider, name);
    const { consent } = account.script;
    if (consent === "deny" || consent === "provider-error") {
      return this.#end(before, consent === "deny" ? "ACCESS_DENIED" : "CALLBACK_ERROR");
    }
    const attempt = this.#toExchanging("be completed");
    const { scopes } = registrationOf(this.#world, attempt.registrationId);
    const requested = requestedScopes(scopes, attempt.capabilities);
    const ticked = requestedScopes(scopes, capabilities ?? attempt.capabilities);
    const code = {
      provider: attempt.provider,
      account: account.name,
      scopes: grantedScopes(PROVIDERS[attempt.provider].scopes, account.script, requested, ticked),
    };
    runImmediately(exchange(this.#world, attempt, code));
    return this.state;
  }

  /** The person declines, or grants no capability (`NO_CAPABILITY_GRANTED`). */
  deny(code: "USER_DENIED" | "NO_CAPABILITY_GRANTED" = "USER_DENIED"): ConnectAttemptView {
    oneOf(code, ["USER_DENIED", "NO_CAPABILITY_GRANTED"], "code");
    if (code === "USER_DENIED") return this.#end(this.#unfinished("be denied"), "ACCESS_DENIED");
    return this.#abandonGrant("be denied", "NO_CAPABILITY_GRANTED");
  }

  /** The attempt ends FAILED with this code. */
  fail(code: ConnectFailure = "PROVIDER_ERROR"): ConnectAttemptView {
    oneOf(code, Object.keys(FAILURES) as ConnectFailure[], "resultCode of a FAILED attempt");
    const attempt = this.#unfinished("fail");
    if (code === "ACCOUNT_MISMATCH" && attempt.reconnectConnectionId === null) {
      throw new MockMisuseError(
        "Only a reconnect ends with ACCOUNT_MISMATCH. Create the session with reconnectConnectionId.",
      );
    }
    if (code === "PROVIDER_ERROR") return this.#end(attempt, FAILURES[code]);
    if (AFTER_CONSENT.includes(code)) return this.#abandonGrant("fail", FAILURES[code]);
    abandonAttempt(this.#world, this.#toExchanging("fail"), FAILURES[code], null);
    return this.state;
  }

  /** The attempt ends CANCELED with this code. */
  cancel(code: ConnectCancellation): ConnectAttemptView {
    oneOf(code, Object.keys(CANCELLATIONS) as ConnectCancellation[], "resultCode of a CANCELED attempt");
    const attempt = this.#unfinished("be canceled");
    if (code !== "APPLICATION_DISABLED" && attempt.reconnectConnectionId === null) {
      throw new MockMisuseError(`Only a reconnect ends with ${code}. Create the session with reconnectConnectionId.`);
    }
    if (moveAttempt(attempt.status, CANCELLATIONS[code]) === null) throw this.#notNow(attempt, "be canceled");
    move(this.#world, attempt, CANCELLATIONS[code]);
    return this.state;
  }

  /** Advances the clock to the deadline: the attempt is EXPIRED. */
  async expire(): Promise<ConnectAttemptView> {
    const attempt = this.#unfinished("expire");
    await this.#world.advanceTo(attempt.expiresAt.getTime());
    if (isUnfinished(attempt.status)) move(this.#world, attempt, "DEADLINE_PASSED");
    return this.state;
  }

  #attempt(): ConnectAttempt {
    return found(this.#world.state.connectAttempts, this.#id, "connect attempt");
  }

  #unfinished(wanted: string): ConnectAttempt {
    this.#world.catchUp();
    const attempt = this.#attempt();
    if (!isUnfinished(attempt.status)) throw this.#notNow(attempt, wanted);
    if (hasPassed(attempt.expiresAt, this.#world.now())) throw notNow("connect attempt", "overdue", wanted, []);
    return attempt;
  }

  /** Launches a CREATED attempt first. */
  #end(attempt: ConnectAttempt, event: ConnectAttemptEvent): ConnectAttemptView {
    if (attempt.status === "CREATED") this.#launch(attempt);
    if (moveAttempt(attempt.status, event) === null) throw this.#notNow(attempt, "end this way");
    move(this.#world, attempt, event);
    return this.state;
  }

  #launch(attempt: ConnectAttempt): void {
    const application = found(this.#world.state.applications, attempt.applicationId, "application");
    const launched = launch(this.#world, attempt, application);
    if (launched.outcome === "redirect") return;
    throw new MockMisuseError(`The attempt cannot be launched (${launched.outcome}): it is ${attempt.status}.`);
  }

  #toExchanging(wanted: string): ConnectAttempt {
    const attempt = this.#unfinished(wanted);
    if (attempt.status === "CREATED") this.#launch(attempt);
    if (attempt.status === "AUTHORIZING")
      Object.assign(move(this.#world, attempt, "CODE_RECEIVED"), startedExchange(this.#world));
    return attempt;
  }

  #abandonGrant(wanted: string, event: ConnectAttemptEvent): ConnectAttemptView {
    const attempt = this.#toExchanging(wanted);
    const account = findAccount(attempt.provider, DEFAULT_ACCOUNT);
    if (account === null) throw new Error("the default account is missing");
    const grant = createPendingGrant(this.#world, attempt, account, createGrant(this.#world, account, []));
    abandonAttempt(this.#world, attempt, event, { grant, owner: null });
    return this.state;
  }

  #notNow(attempt: ConnectAttempt, wanted: string): MockMisuseError {
    const events = Object.keys(CONNECT_ATTEMPT_TRANSITIONS) as ConnectAttemptEvent[];
    const possible = events.flatMap((event) => moveAttempt(attempt.status, event)?.status ?? []);
    return notNow("connect attempt", attempt.status, wanted, [...new Set(possible)]);
  }
}
