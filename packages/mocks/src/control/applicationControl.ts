import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  applicationKeyText,
  checkNewApplicationKey,
  checkNewClient,
  checkReturnUrlRegistration,
} from "@social-connect/domain";
import { endAttemptsOf } from "../service/clients/clientChanges.ts";
import type { Duration } from "../world/clock.ts";
import { durationMs } from "../world/clock.ts";
import { sha256Hex } from "../world/hash.ts";
import type { ApplicationOptions } from "../world/initialState.ts";
import { newApplication } from "../world/initialState.ts";
import type { Application } from "../world/state.ts";
import type { World } from "../world/world.ts";
import { found, MockMisuseError, oneOf } from "./misuse.ts";

const LOOPBACK = { allowLoopbackHttp: true } as const;

/** What an application may do, as far as a test changes it. */
export interface PolicyOptions {
  readonly tenantKeys?: readonly string[];
  readonly providers?: readonly SocialProvider[];
  readonly capabilities?: readonly Capability[];
  readonly idpIdentityEnabled?: boolean;
}

/** An application, in place of its operator. */
export class ApplicationControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#application();
  }

  get id(): string {
    return this.#id;
  }

  get slug(): string {
    return this.#application().slug;
  }

  get tenantKeys(): readonly string[] {
    return [...this.#application().tenantKeys];
  }

  get webOrigins(): readonly string[] {
    return [...this.#application().webOrigins];
  }

  get returnUrls(): readonly string[] {
    return [...this.#application().returnUrls];
  }

  get identityReturnUrls(): readonly string[] {
    return [...this.#application().identityReturnUrls];
  }

  get isEnabled(): boolean {
    return this.#application().enabled;
  }

  enable(): void {
    Object.assign(this.#application(), { enabled: true, updatedAt: this.#world.now() });
  }

  /** Its key is refused from now on, and what is under way in a browser ends. */
  disable(): void {
    disableApplication(this.#world, this.#application());
  }

  setPolicy(policy: PolicyOptions): void {
    for (const name of policy.providers ?? []) oneOf(name, SOCIAL_PROVIDERS, "provider");
    for (const name of policy.capabilities ?? []) oneOf(name, CAPABILITIES, "capability");
    const { tenantKeys, providers, capabilities, idpIdentityEnabled } = policy;
    Object.assign(this.#application(), {
      ...(tenantKeys && { tenantKeys: [...tenantKeys] }),
      ...(providers && { providers: [...providers] }),
      ...(capabilities && { capabilities: [...capabilities] }),
      ...(idpIdentityEnabled !== undefined && { idpIdentityEnabled }),
      updatedAt: this.#world.now(),
    });
  }

  setPreviews(previews: { readonly enabled: boolean; readonly paths: readonly string[] }): void {
    const { enabled, paths } = previews;
    Object.assign(this.#application(), { previewOriginsEnabled: enabled, previewReturnPaths: [...paths] });
  }

  /** Registers a return URL on one of the application's origins. */
  addReturnUrl(url: string): void {
    const application = this.#application();
    const violation = checkReturnUrlRegistration(url, { ...LOOPBACK, webOrigins: application.webOrigins });
    if (violation !== null)
      throw new MockMisuseError(`${violation.message}. Origins: ${application.webOrigins.join(", ")}.`);
    if (!application.returnUrls.includes(url)) application.returnUrls.push(url);
  }

  /** A further key, beside the first. Throws when the application has two active ones already. */
  issueKey(options: { readonly expiresIn?: Duration } = {}): string {
    const now = this.#world.now();
    const keys = [...this.#world.state.applicationKeys.values()].filter((key) => key.applicationId === this.#id);
    if (checkNewApplicationKey(keys, now) !== null) {
      throw new MockMisuseError("An application has at most two active keys: revoke one first.");
    }
    const [keyId, secret] = [this.#world.newId(), this.#world.newSecret()];
    const { expiresIn } = options;
    this.#world.state.applicationKeys.set(keyId, {
      id: keyId,
      applicationId: this.#id,
      secretHash: sha256Hex(secret),
      createdAt: now,
      expiresAt: expiresIn === undefined ? null : new Date(now.getTime() + durationMs(expiresIn)),
      lastUsedAt: null,
      revokedAt: null,
    });
    return applicationKeyText({ keyId, secret });
  }

  /** Takes a key, or the id before its dot. */
  revokeKey(key: string): void {
    const [keyId = ""] = key.split(".");
    const row = found(this.#world.state.applicationKeys, keyId, "application key");
    row.revokedAt ??= this.#world.now();
  }

  /** As while somebody else is changing the client: what the admin API would write is refused as busy, until `release`. */
  hold(): void {
    const { state } = this.#world;
    if (!state.heldApplicationIds.includes(this.#id)) state.heldApplicationIds.push(this.#id);
  }

  release(): void {
    const { state } = this.#world;
    state.heldApplicationIds = state.heldApplicationIds.filter((id) => id !== this.#id);
  }

  /** Forgets the application with all that belongs to it. */
  remove(): void {
    forgetApplication(this.#world, this.#id);
  }

  #application(): Application {
    return found(this.#world.state.applications, this.#id, "application");
  }
}

/** Registers an application. Throws when its addresses do not fit together. */
export function createApplication(world: World, options: ApplicationOptions): ApplicationControl {
  const id = world.newId();
  const slug = options.slug ?? `app-${id.slice(0, 8)}`;
  const webOrigins = options.webOrigins ?? [`https://${slug}.example.test`];
  const application = newApplication(id, { ...options, slug, webOrigins }, world.now());
  const refusal = checkNewClient(application, LOOPBACK);
  if (refusal !== null) throw new MockMisuseError(`The application cannot be made so: ${refusal.message}.`);
  world.state.applications.set(id, application);
  return new ApplicationControl(world, id);
}

export function disableApplication(world: World, application: Application): void {
  Object.assign(application, { enabled: false, updatedAt: world.now() });
  endAttemptsOf(world, application);
}

function forgetApplication(world: World, id: string): void {
  const { state } = world;
  const connections = [...state.connections.values()].filter((one) => one.applicationId === id);
  for (const connection of connections) {
    state.content.delete(connection.id);
    state.connections.delete(connection.id);
  }
  const connectionIds = new Set(connections.map((connection) => connection.id));
  const attemptIds = new Set<string>();
  for (const attempt of state.connectAttempts.values()) if (attempt.applicationId === id) attemptIds.add(attempt.id);
  for (const [grantId, grant] of state.grants) {
    if (connectionIds.has(grant.connectionId ?? "") || attemptIds.has(grant.attemptId ?? ""))
      state.grants.delete(grantId);
  }
  for (const table of [
    state.applicationKeys,
    state.connectAttempts,
    state.identityAttempts,
    state.jobs,
    state.settlements,
  ]) {
    for (const [rowId, row] of table) if (row.applicationId === id) table.delete(rowId);
  }
  state.applications.delete(id);
}
