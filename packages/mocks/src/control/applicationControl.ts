import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  applicationKeyText,
  checkCredentialLimit,
  checkDistinct,
  checkIdentityReturnUrls,
  checkNewClient,
  checkPreviewReturnPath,
  checkReturnUrlRegistration,
  checkSlug,
  checkTenantKey,
} from "@social-connect/domain";
import { endDisallowedAttempts } from "../modules/clients/openAttempts.ts";
import type { Application, ApplicationKey } from "../state/state.ts";
import type { Duration } from "../util/duration.ts";
import { durationMs } from "../util/duration.ts";
import { sha256Hex } from "../util/hash.ts";
import { allowed, found, MockMisuseError } from "../util/misuse.ts";
import type { ApplicationOptions } from "../world/initialState.ts";
import { newApplication } from "../world/initialState.ts";
import type { World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

export const LOOPBACK = { allowLoopbackHttp: true } as const;

/** What an application may do, as far as a test changes it. */
export interface PolicyOptions {
  /** All the tenants that it may name, in place of those before. */
  readonly tenantKeys?: readonly string[];
  /** All the providers it may connect at, in place of those before. */
  readonly providers?: readonly SocialProvider[];
  /** All the capabilities it may ask for, in place of those before. */
  readonly capabilities?: readonly Capability[];
  /** Whether it may start the identity handoff. */
  readonly idpIdentityEnabled?: boolean;
}

const POLICY = {
  tenantKeys: "texts",
  providers: { each: SOCIAL_PROVIDERS },
  capabilities: { each: CAPABILITIES },
  idpIdentityEnabled: "flag",
} as const;

/** An application, in place of its operator. */
export class ApplicationControl {
  readonly #world: World;
  readonly #id: string;

  constructor(world: World, id: string) {
    this.#world = world;
    this.#id = id;
    this.#application();
  }

  /** The client's id, as the admin API names it. */
  get id(): string {
    return this.#id;
  }

  /** Its short name, unlike every other's. */
  get slug(): string {
    return this.#application().slug;
  }

  /** Tenants that it may name in a scope. */
  get tenantKeys(): readonly string[] {
    return [...this.#application().tenantKeys];
  }

  /** Origins of its web pages; its return URLs lie on them. */
  get webOrigins(): readonly string[] {
    return [...this.#application().webOrigins];
  }

  /** Where Connect may send the browser back to. */
  get returnUrls(): readonly string[] {
    return [...this.#application().returnUrls];
  }

  /** Where the identity handoff may send the browser back to. */
  get identityReturnUrls(): readonly string[] {
    return [...this.#application().identityReturnUrls];
  }

  /** False while every key of it is answered with FORBIDDEN. */
  get isEnabled(): boolean {
    return this.#application().enabled;
  }

  /** Its keys are good again. What ended when it was disabled does not come back. */
  enable(): void {
    Object.assign(this.#application(), { enabled: true, updatedAt: this.#world.now() });
  }

  /** Its key is refused from now on, and what is under way in a browser ends. */
  disable(): void {
    disableApplication(this.#world, this.#application());
  }

  /** Changes what it may do; what is left out stays. Throws a MockMisuseError for a value that the service would not take. */
  setPolicy(policy: PolicyOptions): void {
    fieldsOf(policy, POLICY);
    checkSets(policy);
    const { tenantKeys, providers, capabilities, idpIdentityEnabled } = policy;
    Object.assign(this.#application(), {
      ...(tenantKeys && { tenantKeys: [...tenantKeys] }),
      ...(providers && { providers: [...providers] }),
      ...(capabilities && { capabilities: [...capabilities] }),
      ...(idpIdentityEnabled !== undefined && { idpIdentityEnabled }),
      updatedAt: this.#world.now(),
    });
  }

  /** Whether preview origins count as its own, and on which paths they may return. Throws a MockMisuseError for a path that is none. */
  setPreviews(previews: { readonly enabled: boolean; readonly paths: readonly string[] }): void {
    const { enabled, paths } = fieldsOf(previews, { enabled: "flag!", paths: "texts!" });
    for (const path of paths) allowed(checkPreviewReturnPath(path), `The path ${JSON.stringify(path)}`);
    const application = this.#application();
    Object.assign(application, { previewOriginsEnabled: enabled, previewReturnPaths: [...paths] });
    endDisallowedAttempts(this.#world, application);
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
    const { expiresIn } = fieldsOf(options, { expiresIn: "duration" });
    const now = this.#world.now();
    allowed(checkCredentialLimit([...this.#keys().values()], now), "The key cannot be issued");
    const [keyId, secret] = [this.#world.newId(), this.#world.newSecret()];
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
    const [keyId = ""] = String(key).split(".");
    const row = found(this.#keys(), keyId, "key of the application");
    row.revokedAt ??= this.#world.now();
  }

  /** As while somebody else is changing the client: what the admin API would write is refused as busy, until `release`. */
  hold(): void {
    const { state } = this.#world;
    if (!state.heldApplicationIds.includes(this.#id)) state.heldApplicationIds.push(this.#id);
  }

  /** Ends `hold`; does nothing where it is not held. */
  release(): void {
    const { state } = this.#world;
    state.heldApplicationIds = state.heldApplicationIds.filter((id) => id !== this.#id);
  }

  /** Forgets the application with all that belongs to it. */
  remove(): void {
    forgetApplication(this.#world, this.#id);
  }

  #keys(): ReadonlyMap<string, ApplicationKey> {
    return new Map([...this.#world.state.applicationKeys].filter(([, key]) => key.applicationId === this.#id));
  }

  #application(): Application {
    return found(this.#world.state.applications, this.#id, "application");
  }
}

const APPLICATION = {
  ...POLICY,
  slug: "text",
  webOrigins: "texts",
  returnUrls: "texts",
  identityReturnUrls: "texts",
  testers: "any",
} as const satisfies Record<keyof ApplicationOptions, unknown>;

/** Throws unless the service could have such an application. */
export function checkApplication(application: Application, options: ApplicationOptions): void {
  fieldsOf(options, APPLICATION);
  const { slug, idpIdentityEnabled: enabled, testers } = application;
  // Between containers an application is reached by plain http too, so only the form of its addresses is looked at.
  const secured = (urls: readonly string[]) => urls.map((url) => url.replace(/^http:/, "https:"));
  const [webOrigins, returnUrls] = [secured(application.webOrigins), secured(application.returnUrls)];
  const addresses = { ...application, webOrigins, returnUrls };
  const cannot = "The application cannot be made so";
  allowed(checkSlug(slug), cannot);
  checkSets(application);
  allowed(checkNewClient(addresses, LOOPBACK), cannot);
  const urls = secured(application.identityReturnUrls);
  allowed(checkIdentityReturnUrls(addresses, { enabled, urls }, LOOPBACK), cannot);
  if (testers === "everyone") return;
  if (!Array.isArray(testers)) throw new MockMisuseError('testers is "everyone", or a list of accounts.');
  for (const tester of testers) fieldsOf(tester, { provider: SOCIAL_PROVIDERS, providerAccountId: "text!" });
}

function checkSets(sets: Pick<PolicyOptions, "tenantKeys" | "providers" | "capabilities">): void {
  for (const field of ["tenantKeys", "providers", "capabilities"] as const) {
    allowed(checkDistinct(field, sets[field] ?? []), field);
  }
  for (const tenantKey of sets.tenantKeys ?? []) allowed(checkTenantKey(tenantKey), "tenantKeys");
}

/** Registers an application. Throws when its addresses do not fit together, or its slug is another's. */
export function createApplication(world: World, options: ApplicationOptions): ApplicationControl {
  fieldsOf(options, APPLICATION);
  const described = (id: string): Application => {
    const slug = options.slug ?? `app-${id.slice(0, 8)}`;
    const webOrigins = options.webOrigins ?? [`https://${slug}.example.test`];
    return newApplication(id, { ...options, slug, webOrigins }, world.now());
  };
  // Looked at before an id is taken: a misuse leaves nothing behind, not even a number that is missing in a sequence.
  checkApplication(described("none"), options);
  if ([...world.state.applications.values()].some(({ slug }) => slug === options.slug)) {
    throw new MockMisuseError(`There is an application ${JSON.stringify(options.slug)} already.`);
  }
  const id = world.newId();
  world.state.applications.set(id, described(id));
  return new ApplicationControl(world, id);
}

export function disableApplication(world: World, application: Application): void {
  Object.assign(application, { enabled: false, updatedAt: world.now() });
  endDisallowedAttempts(world, application);
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
    state.revocations,
  ]) {
    for (const [rowId, row] of table) if (row.applicationId === id) table.delete(rowId);
  }
  state.applications.delete(id);
}
