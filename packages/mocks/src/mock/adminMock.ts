import { ADMIN_KEY_SCOPES, type AdminKeyScope, LIMITS } from "@social-connect/contract";
import { AppError, adminKeyText } from "@social-connect/domain";
import { fieldsOf } from "../control/fields.ts";
import { answerInPanel } from "../graphql/adminApi.ts";
import type { PanelActor } from "../modules/admin/actor.ts";
import { addMember, removeMember } from "../modules/admins/changeAdmins.ts";
import { mintApiKey, revokeApiKey } from "../modules/api-keys/apiKeys.ts";
import { retainedEntries } from "../modules/audit/audit.ts";
import type { AuditEntry } from "../state/state.ts";
import { found, MockMisuseError, oneOf } from "../util/misuse.ts";
import { defaultAdminKey, FIRST_ADMIN_EMAIL } from "../world/initialState.ts";
import type { World } from "../world/world.ts";
import type { ConsumerMock } from "./consumerMock.ts";

/** A new API key. */
export interface MintOptions {
  /** READ or WRITE. */
  readonly scope: AdminKeyScope;
  /** The label in the panel; `test` by default. */
  readonly label?: string;
  /** By default the maximum of the mode. */
  readonly lifetimeDays?: number;
  /** Email address of the key's admin; the first admin by default. */
  readonly admin?: string;
}

/**
 * The admin API in memory, and controls in place of admins who use the panel. It shares the state and the clock of its
 * consumer mock: a client that is disabled here is refused there.
 */
export class AdminMock {
  readonly #world: World;
  /** The consumer mock with the same state. */
  readonly consumer: ConsumerMock;

  constructor(world: World, consumer: ConsumerMock) {
    this.#world = world;
    this.consumer = consumer;
  }

  /** A `fetch` that only reaches the mock; pass it to the admin SDK. */
  get fetch(): typeof globalThis.fetch {
    return this.consumer.fetch;
  }

  /** Base URL; the API is at `/api/admin/graphql`. */
  get host(): string {
    return this.#world.settings.adminHost;
  }

  /** A READ key of the first admin. */
  get readKey(): string {
    return adminKeyText(defaultAdminKey(this.#world.state.seed, "READ"));
  }

  /** A WRITE key of the first admin. */
  get writeKey(): string {
    return adminKeyText(defaultAdminKey(this.#world.state.seed, "WRITE"));
  }

  /** Email addresses of the admins, oldest first. */
  get members(): readonly string[] {
    return [...this.#world.state.members.values()].map(({ email }) => email);
  }

  /** Creates a key and returns its text, which is not stored. Throws when the admin has the maximum of active keys. */
  mintKey(options: MintOptions): string {
    fieldsOf(options, { scope: ADMIN_KEY_SCOPES, label: "string", lifetimeDays: "number", admin: "string" });
    const { scope, label = "test", lifetimeDays, admin = FIRST_ADMIN_EMAIL } = options;
    const longest = LIMITS.adminKeyLifetimeDays[this.#world.settings.mode];
    const input = { scope: oneOf(scope, ADMIN_KEY_SCOPES, "scope"), label, lifetimeDays: lifetimeDays ?? longest };
    return asControl(() => mintApiKey(this.#world, panelActor(this.#world, admin), input).key);
  }

  /** Revokes a key, by the key or by its id. */
  revokeKey(key: string): void {
    const [id = ""] = String(key)
      .replace(/^scadm_/, "")
      .split(".");
    found(this.#world.state.adminKeys, id, "admin key");
    asControl(() => revokeApiKey(this.#world, this.#firstActor(), id));
  }

  /** Adds an admin by email address. Throws a MockMisuseError when the service refuses it. */
  addMember(email: string): void {
    fieldsOf({ email }, { email: "string!" });
    asControl(() => addMember(this.#world, this.#firstActor(), email));
  }

  /** Removes an admin and revokes all keys. */
  removeMember(email: string): void {
    asControl(() => removeMember(this.#world, this.#firstActor(), panelActor(this.#world, email).memberId));
  }

  /** The audit log, newest first. */
  audit(): readonly Omit<AuditEntry, "order">[] {
    return retainedEntries(this.#world)
      .map(({ order: _, ...entry }) => entry)
      .toReversed();
  }

  #firstActor(): PanelActor {
    return panelActor(this.#world, this.members[0] ?? "");
  }
}

/** A request of the control API: a document of the admin schema, which the first admin runs unless another is named. */
export function runInPanel(world: World, asked: object): unknown {
  const shape = { query: "string!", variables: "object", admin: "string" } as const;
  const { admin = FIRST_ADMIN_EMAIL, ...body } = fieldsOf(asked, shape);
  return answerInPanel(world, panelActor(world, admin), body);
}

function panelActor({ state: { members } }: World, email: string): PanelActor {
  const member = [...members.values()].find((one) => one.email === email);
  if (member !== undefined) return { via: "panel", memberId: member.id, email };
  const known = [...members.values()].map((one) => one.email).join(", ");
  throw new MockMisuseError(`${JSON.stringify(email)} is not an admin. Admins: ${known}.`);
}

/** Turns a refusal of the service into a MockMisuseError. */
function asControl<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw new MockMisuseError(error.message);
    throw error;
  }
}
