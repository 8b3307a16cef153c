import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
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
import { deleteWhere } from "../util/deleteWhere.ts";
import { type Duration, durationMs } from "../util/duration.ts";
import { sha256Hex } from "../util/hash.ts";
import { allowed, found, MockMisuseError, within } from "../util/misuse.ts";
import { type ApplicationOptions, newApplication } from "../world/initialState.ts";
import type { World } from "../world/world.ts";
import { EventsControl } from "./eventsControl.ts";
import { fieldsOf } from "./fields.ts";

export const LOOPBACK = { allowLoopbackHttp: true } as const;

/** Changes of an application's policy. */
export interface PolicyOptions {
  /** Replaces the tenants that it may use. */
  readonly tenantKeys?: readonly string[];
  /** Replaces the providers at which it may connect. */
  readonly providers?: readonly SocialProvider[];
  /** Replaces the capabilities that it may request. */
  readonly capabilities?: readonly Capability[];
  /** Whether it may start the identity handoff. */
  readonly idpIdentityEnabled?: boolean;
}

const POLICY = {
  tenantKeys: "strings",
  providers: { each: SOCIAL_PROVIDERS },
  capabilities: { each: CAPABILITIES },
  idpIdentityEnabled: "boolean",
} as const;

/** Controls an application. */
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

  /** Its unique short name. */
  get slug(): string {
    return this.#application().slug;
  }

  /** The tenants that it may use in a scope. */
  get tenantKeys(): readonly string[] {
    return [...this.#application().tenantKeys];
  }

  /** Origins of its web pages and return URLs. */
  get webOrigins(): readonly string[] {
    return [...this.#application().webOrigins];
  }

  /** Return URLs of Connect. */
  get returnUrls(): readonly string[] {
    return [...this.#application().returnUrls];
  }

  /** Return URLs of the identity handoff. */
  get identityReturnUrls(): readonly string[] {
    return [...this.#application().identityReturnUrls];
  }

  /** False while its keys are rejected with FORBIDDEN. */
  get isEnabled(): boolean {
    return this.#application().enabled;
  }

  /** Its event endpoints, and the events that they receive. */
  get events(): EventsControl {
    return new EventsControl(this.#world, this.#id);
  }

  /** Accepts its keys again. Attempts that ended when it was disabled stay ended. */
  enable(): void {
    Object.assign(this.#application(), { enabled: true, updatedAt: this.#world.now() });
  }

  /** Rejects its keys and ends its unfinished attempts. */
  disable(): void {
    disableApplication(this.#world, this.#application());
  }

  /** Changes its policy; omitted fields stay unchanged. Throws a MockMisuseError for a value that the service rejects. */
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

  /** Enables preview origins and sets their return paths. Throws a MockMisuseError for an invalid path. */
  setPreviews(previews: { readonly enabled: boolean; readonly paths: readonly string[] }): void {
    const { enabled, paths } = fieldsOf(previews, { enabled: "boolean!", paths: "strings!" });
    for (const path of paths) allowed(checkPreviewReturnPath(path), `The path ${JSON.stringify(path)}`);
    const application = this.#application();
    Object.assign(application, { previewOriginsEnabled: enabled, previewReturnPaths: [...paths] });
    endDisallowedAttempts(this.#world, application);
  }

  /** Registers a return URL on an origin of the application. */
  addReturnUrl(url: string): void {
    const application = this.#application();
    const violation = checkReturnUrlRegistration(url, { ...LOOPBACK, webOrigins: application.webOrigins });
    if (violation !== null)
      throw new MockMisuseError(`${violation.message}. Origins: ${application.webOrigins.join(", ")}.`);
    if (!application.returnUrls.includes(url)) application.returnUrls.push(url);
  }

  /** Issues another key. Throws when the application already has two active keys. */
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

  /** Revokes a key, by the key or by the id before its dot. */
  revokeKey(key: string): void {
    const [keyId = ""] = String(key).split(".");
    const row = found(this.#keys(), keyId, "key of the application");
    row.revokedAt ??= this.#world.now();
  }

  /** Simulates a concurrent change: changes by the admin API fail with ROW_BUSY until `release`. */
  hold(): void {
    const { state } = this.#world;
    if (!state.heldApplicationIds.includes(this.#id)) state.heldApplicationIds.push(this.#id);
  }

  /** Ends `hold`. */
  release(): void {
    const { state } = this.#world;
    state.heldApplicationIds = state.heldApplicationIds.filter((id) => id !== this.#id);
  }

  /** Deletes the application and its data. */
  remove(): void {
    deleteApplication(this.#world, this.#id);
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
  slug: "string",
  webOrigins: "strings",
  returnUrls: "strings",
  identityReturnUrls: "strings",
  testers: "any",
} as const satisfies Record<keyof ApplicationOptions, unknown>;

/** Throws for options of another shape, before an application is made of them. */
export function checkApplicationOptions(options: ApplicationOptions): void {
  fieldsOf(options, APPLICATION);
  const { testers = "everyone" } = options;
  if (testers === "everyone") return;
  within("testers", () => {
    if (!Array.isArray(testers)) throw new MockMisuseError('`testers` must be "everyone" or a list of accounts.');
    for (const [index, tester] of testers.entries())
      within(index, () => fieldsOf(tester, { provider: SOCIAL_PROVIDERS, providerAccountId: "string!" }));
  });
}

/** Throws for an application that the service would reject. */
export function checkApplication(application: Application): void {
  const { slug, idpIdentityEnabled: enabled } = application;
  // Plain HTTP is allowed, for applications that run in containers.
  const secured = (urls: readonly string[]) => urls.map((url) => url.replace(/^http:/, "https:"));
  const [webOrigins, returnUrls] = [secured(application.webOrigins), secured(application.returnUrls)];
  const addresses = { ...application, webOrigins, returnUrls };
  const subject = "Invalid application";
  allowed(checkSlug(slug), subject);
  checkSets(application);
  allowed(checkNewClient(addresses, LOOPBACK), subject);
  const urls = secured(application.identityReturnUrls);
  allowed(checkIdentityReturnUrls(addresses, { enabled, urls }, LOOPBACK), subject);
}

function checkSets(sets: Pick<PolicyOptions, "tenantKeys" | "providers" | "capabilities">): void {
  for (const field of ["tenantKeys", "providers", "capabilities"] as const) {
    allowed(checkDistinct(field, sets[field] ?? []), field);
  }
  for (const tenantKey of sets.tenantKeys ?? []) allowed(checkTenantKey(tenantKey), "tenantKeys");
}

/** Registers an application. Throws for inconsistent addresses and for a used slug. */
export function createApplication(world: World, options: ApplicationOptions): ApplicationControl {
  checkApplicationOptions(options);
  const described = (id: string): Application => {
    const slug = options.slug ?? `app-${id.slice(0, 8)}`;
    const webOrigins = options.webOrigins ?? [`https://${slug}.example.test`];
    return newApplication(id, { ...options, slug, webOrigins }, world.now());
  };
  // Checked before an id is generated: a misuse does not change the random numbers.
  checkApplication(described("none"));
  if ([...world.state.applications.values()].some(({ slug }) => slug === options.slug)) {
    throw new MockMisuseError(`The slug ${JSON.stringify(options.slug)} is already used.`);
  }
  const id = world.newId();
  world.state.applications.set(id, described(id));
  return new ApplicationControl(world, id);
}

export function disableApplication(world: World, application: Application): void {
  Object.assign(application, { enabled: false, updatedAt: world.now() });
  endDisallowedAttempts(world, application);
}

function deleteApplication(world: World, id: string): void {
  const { state } = world;
  const idsOf = (rows: ReadonlyMap<string, { readonly applicationId: string }>) =>
    new Set([...rows].flatMap(([rowId, { applicationId }]) => (applicationId === id ? rowId : [])));
  const [connectionIds, attemptIds] = [idsOf(state.connections), idsOf(state.connectAttempts)];
  for (const connectionId of connectionIds) state.content.delete(connectionId);
  deleteWhere(
    state.grants,
    ({ connectionId, attemptId }) => connectionIds.has(connectionId ?? "") || attemptIds.has(attemptId ?? ""),
  );
  for (const table of [
    state.applicationKeys,
    state.connectAttempts,
    state.connections,
    state.eventEndpoints,
    state.events,
    state.identityAttempts,
    state.jobs,
    state.settlements,
    state.revocations,
  ]) {
    for (const rowId of idsOf(table)) table.delete(rowId);
  }
  deleteWhere(state.eventDeliveries, ({ eventId }) => !state.events.has(eventId));
  state.applications.delete(id);
}
