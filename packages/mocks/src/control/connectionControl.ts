import type { Capability, ConnectionStatus, SocialProvider } from "@social-connect/contract";
import { isDisconnected, moveConnection } from "@social-connect/domain";
import { endConnection } from "../modules/disconnect/disconnectConnection.ts";
import { patchConnection } from "../modules/events/recordEvents.ts";
import { grantOfConnection, markGrantRevoked, providerGrantOf } from "../modules/grants/grants.ts";
import { readPost } from "../modules/jobs/readOne.ts";
import { storeObserved } from "../modules/jobs/storeContent.ts";
import type { GrantEnd } from "../state/providerCall.ts";
import type { Connection } from "../state/state.ts";
import { found, MockMisuseError, notNow } from "../util/misuse.ts";
import type { World } from "../world/world.ts";
import { AccountControl, type AccountPost, type NewPost } from "./accountControl.ts";
import { fieldsOf } from "./fields.ts";

/** The state of a connection, without credentials. */
export interface ConnectionControlView {
  /** The connection's id, the same across reconnects. */
  readonly id: string;
  /** The provider of the account. */
  readonly provider: SocialProvider;
  /** The stored status; `connections` lists a different status when the access check fails. */
  readonly status: ConnectionStatus;
  /** The granted capabilities. */
  readonly capabilities: readonly Capability[];
  /** The provider's id of the account. */
  readonly providerAccountId: string;
  /** Name of the account at the provider. */
  readonly account: string | null;
}

/** Controls a connection in ways that callers cannot. */
export class ConnectionControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#connection();
  }

  /** The current state of the connection. */
  get state(): ConnectionControlView {
    const { id, provider, status, capabilities, providerAccountId } = this.#connection();
    const grant = grantOfConnection(this.#world, id);
    const account = grant === null ? null : providerGrantOf(this.#world, grant).account;
    return { id, provider, status, capabilities: [...capabilities], providerAccountId, account };
  }

  /** Its account at the provider. */
  get account(): AccountControl {
    const { provider, account } = this.state;
    if (account === null) throw new MockMisuseError("The connection's credential has already been erased.");
    return new AccountControl(this.#world, provider, account);
  }

  /** The service detects that the grant has ended: CONNECTED becomes RECONNECT_REQUIRED. */
  loseGrant(options: { readonly appRemoved?: boolean } = {}): ConnectionControlView {
    const { appRemoved = false } = fieldsOf(options, { appRemoved: "boolean" });
    const connection = this.#living("lose its grant");
    if (connection.status === "RECONNECT_REQUIRED") throw this.#notNow(connection, "lose its grant");
    markGrantRevoked(this.#world, connection, { appRemoved });
    return this.state;
  }

  /** The grant ends at the provider; the service detects it at its next read. */
  endGrant(cause: GrantEnd = "password-changed"): ConnectionControlView {
    const connection = this.#living("have its grant ended");
    const grant = grantOfConnection(this.#world, connection.id);
    const ended = grant && providerGrantOf(this.#world, grant).ended;
    if (ended) throw new MockMisuseError(`The grant has already ended at the provider (${ended}).`);
    this.account.endGrants(cause);
    return this.state;
  }

  /** Expires the access token and the refresh token. */
  expireCredential(): ConnectionControlView {
    const connection = this.#living("have its credential expire");
    const grant = grantOfConnection(this.#world, connection.id);
    const now = this.#world.now();
    if (grant !== null) Object.assign(grant, { accessTokenExpiresAt: now, refreshTokenExpiresAt: now });
    return this.state;
  }

  /** Simulates the pending revoke of a sibling: CONNECTED becomes SUSPENDED, until `resume`. */
  suspend(): ConnectionControlView {
    return this.#move("SIBLING_REVOKE_STARTED", "be suspended");
  }

  /** Simulates the settled revoke of a sibling: SUSPENDED becomes CONNECTED. */
  resume(): ConnectionControlView {
    return this.#move("RECHECK_PASSED", "be resumed");
  }

  /** Disconnects it as the API does. Its jobs run when the clock advances. */
  disconnect(): ConnectionControlView {
    endConnection(this.#world, this.#living("be disconnected"), "BY_APPLICATION");
    return this.state;
  }

  /** Publishes a post of the account, which the service reads immediately. */
  publish(post: NewPost = {}): AccountPost {
    const connection = this.#living("publish");
    const published = this.account.publish(post);
    this.#observe(connection, published.id);
    return published;
  }

  /** Makes the service read one post of the account. */
  observe(postId: string): void {
    this.#observe(this.#living("observe"), postId);
  }

  #observe(connection: Connection, postId: string): void {
    const grant = grantOfConnection(this.#world, connection.id);
    const item = grant && readPost(this.#world, connection, grant, postId);
    if (!item || item === "refused" || item === "hidden")
      throw new MockMisuseError(`The connection cannot read a post ${JSON.stringify(postId)}.`);
    const withMetrics = connection.capabilities.includes("CONTENT_METRICS");
    storeObserved(this.#world, connection.id, [{ item, observedAt: this.#world.now() }], withMetrics);
  }

  #move(event: "SIBLING_REVOKE_STARTED" | "RECHECK_PASSED", wanted: string): ConnectionControlView {
    const connection = this.#living(wanted);
    const status = moveConnection(connection.status, event);
    if (status === null) throw this.#notNow(connection, wanted);
    patchConnection(this.#world, connection, { status, suspendedByJobId: null, updatedAt: this.#world.now() });
    return this.state;
  }

  #connection(): Connection {
    return found(this.#world.state.connections, this.#id, "connection");
  }

  #living(wanted: string): Connection {
    this.#world.catchUp();
    const connection = this.#connection();
    if (isDisconnected(connection.status)) throw this.#notNow(connection, wanted);
    return connection;
  }

  #notNow({ status }: Connection, wanted: string): MockMisuseError {
    const possible: Record<ConnectionStatus, string[]> = {
      CONNECTED: ["loseGrant", "endGrant", "expireCredential", "suspend", "disconnect"],
      SUSPENDED: ["loseGrant", "resume", "disconnect"],
      RECONNECT_REQUIRED: ["disconnect"],
      DISCONNECTED: [],
      DELETING: [],
    };
    return notNow("connection", status, wanted, possible[status]);
  }
}
