import type { AdminKeyScope } from "@social-connect/contract";
import { ADMIN_KEY_SCOPES, LIMITS } from "@social-connect/contract";
import { adminKeyText } from "@social-connect/domain";
import { fieldsOf } from "../control/fields.ts";
import type { SessionActor } from "../modules/admin/actor.ts";
import { addMember, removeMember } from "../modules/admins/changeAdmins.ts";
import { mintApiKey } from "../modules/api-keys/mintApiKey.ts";
import { revokeApiKey } from "../modules/api-keys/revokeApiKey.ts";
import { kept } from "../modules/audit/audit.ts";
import { ServiceError } from "../modules/errors.ts";
import type { AuditEntry, Member } from "../state/state.ts";
import { found, MockMisuseError, oneOf } from "../util/misuse.ts";
import { defaultAdminKey, FIRST_ADMIN } from "../world/initialState.ts";
import type { World } from "../world/world.ts";
import type { ConsumerMock } from "./consumerMock.ts";

/** What a new admin key is to be. */
export interface MintOptions {
  /** READ or WRITE. */
  readonly scope: AdminKeyScope;
  /** What the panel lists it as; `test` by default. */
  readonly label?: string;
  /** The longest that the mode allows by default. */
  readonly lifetimeDays?: number;
  /** E-mail address of the admin as whom it acts; the first admin by default. */
  readonly admin?: string;
}

/**
 * The admin API in memory, and what is done in its panel, in place of the people who use that. It is the same service as the
 * consumer mock that it belongs to: a client that is disabled here is refused there, and time passes for both.
 */
export class AdminMock {
  readonly #world: World;
  /** The service that it administers. */
  readonly consumer: ConsumerMock;

  constructor(world: World, consumer: ConsumerMock) {
    this.#world = world;
    this.consumer = consumer;
  }

  /** Reaches the mock and nothing else; pass it to the admin SDK as its `fetch`. */
  get fetch(): typeof globalThis.fetch {
    return this.consumer.fetch;
  }

  /** Base address; the API is at `/api/admin/graphql` below it. */
  get host(): string {
    return this.#world.settings.adminHost;
  }

  /** A key of the first admin that may read, good from the beginning. */
  get readKey(): string {
    return adminKeyText(defaultAdminKey(this.#world.state.seed, "READ"));
  }

  /** A key of the first admin that may read and write. */
  get writeKey(): string {
    return adminKeyText(defaultAdminKey(this.#world.state.seed, "WRITE"));
  }

  /** E-mail addresses of the admins, the first one at the top. */
  get members(): readonly string[] {
    return [...this.#world.state.members.values()].map(({ email }) => email);
  }

  /** Mints a key; its text is given out here and never again. Throws when the admin has five active ones. */
  mintKey(options: MintOptions): string {
    fieldsOf(options, { scope: ADMIN_KEY_SCOPES, label: "text", lifetimeDays: "number", admin: "text" });
    const { scope, label = "test", lifetimeDays, admin = FIRST_ADMIN.email } = options;
    const longest = LIMITS.adminKeyLifetimeDays[this.#world.settings.mode];
    const input = { scope: oneOf(scope, ADMIN_KEY_SCOPES, "scope"), label, lifetimeDays: lifetimeDays ?? longest };
    return asControl(() => mintApiKey(this.#world, this.#actor(admin), input).key);
  }

  /** Takes a key, or its id. */
  revokeKey(key: string): void {
    const [id = ""] = String(key)
      .replace(/^scadm_/, "")
      .split(".");
    found(this.#world.state.adminKeys, id, "admin key");
    asControl(() => revokeApiKey(this.#world, this.#anybody(), id));
  }

  /** Makes somebody an admin, by e-mail address. Throws a MockMisuseError where the service would refuse that. */
  addMember(email: string): void {
    fieldsOf({ email }, { email: "text!" });
    asControl(() => addMember(this.#world, this.#anybody(), email));
  }

  /** The admin's keys and sessions are dead at once. */
  removeMember(email: string): void {
    asControl(() => removeMember(this.#world, this.#anybody(), this.#member(email).id));
  }

  /** What is in the audit log, the newest first. */
  audit(): readonly Omit<AuditEntry, "order">[] {
    return kept(this.#world)
      .map(({ order: _, ...entry }) => entry)
      .toReversed();
  }

  #actor(email: string): SessionActor {
    const { id, email: own } = this.#member(email);
    return { via: "session", memberId: id, email: own, authenticatedAt: this.#world.now() };
  }

  #anybody(): SessionActor {
    return this.#actor(this.members[0] ?? "");
  }

  #member(email: string): Member {
    const member = [...this.#world.state.members.values()].find((one) => one.email === email);
    if (member !== undefined) return member;
    throw new MockMisuseError(`${JSON.stringify(email)} is no admin. There are: ${this.members.join(", ")}.`);
  }
}

/** What the service would refuse is a misuse here. */
function asControl<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) throw new MockMisuseError(error.message);
    throw error;
  }
}
