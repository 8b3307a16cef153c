import type { SubjectScope } from "../../../packages/conformance/src/_generated/consumerWire.ts";
import type { AdminDriver, PanelDriver, Provider, ProviderPost } from "../../../packages/conformance/src/index.ts";
import { runInPanel } from "../../../packages/conformance/src/target/adminScript.ts";
import { ADMIN_API, type Api, CONSUMER_API } from "../../../packages/conformance/src/wire/apis.ts";
import { Browser } from "../../../packages/conformance/src/wire/browser.ts";
import { ApiCaller, NO_NOTES, type WireAnswer } from "../../../packages/conformance/src/wire/call.ts";
import type { Side } from "./side.ts";
import type { Ref, Subject, Target } from "./steps.ts";

export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

export interface App {
  readonly n: Ref;
  readonly id: string;
  readonly slug: string;
  readonly key: string;
  readonly origin: string;
}

/** How far the browser of an attempt has come. */
type Stage = "created" | "launched" | "consented" | "back";

export interface Session {
  readonly n: Ref;
  readonly id: string;
  readonly launchUrl: string;
  readonly launchToken: string;
  readonly expiresAt: string;
  readonly resultExpiresAt: string;
  readonly app: Ref;
  readonly who: Subject;
  readonly provider: Provider;
  /** The account that it should connect again, or that consented; empty at first. */
  account: string;
  browser: string;
  stage: Stage;
}

export interface Identity extends Omit<Session, "who" | "provider" | "account"> {
  readonly resultProof: string;
}

/** `n`: the attempt that made it. */
export interface Connection extends Pick<Session, "n" | "id" | "app" | "who" | "provider" | "account"> {
  isDisconnected: boolean;
}

export interface Job {
  readonly id: string;
  readonly connection: Ref;
  cursor: string | null;
}

/** What one side has shown so far, by the step that made it: ids, tokens, pages and browsers. */
export class Actor {
  readonly side: Side;
  readonly beganAt: Date;
  readonly apps = new Map<Ref, App>();
  readonly sessions = new Map<Ref, Session>();
  readonly identities = new Map<Ref, Identity>();
  readonly connections = new Map<Ref, Connection>();
  readonly jobs = new Map<Ref, Job>();
  readonly posts = new Map<
    Ref,
    { readonly post: ProviderPost; readonly provider: Provider; readonly account: string }
  >();
  readonly adminKeys = new Map<Ref, { readonly id: string; readonly key: string }>();
  readonly members = new Map<Ref, string>();
  readonly applicationKeys = new Map<Ref, { readonly keyId: string; readonly application: unknown }>();
  /** Pages that a browser was sent to, and the URLs of the redirects back. */
  readonly pages = new Map<string, string>();
  readonly admitted = new Set<string>();
  /** Takes a fault away that still plays. */
  readonly lift: (() => Promise<void>)[] = [];
  /** Time that the sequence has let pass. */
  passedMs = 0;
  readonly #browsers = new Map<string, Browser>();
  readonly #panels = new Map<string, Promise<PanelDriver | null>>();
  readonly #registrations = new Map<string, string>();
  admin: Pick<AdminDriver, "readKey" | "writeKey"> = { readKey: "", writeKey: "" };

  constructor(side: Side, beganAt: Date) {
    this.side = side;
    this.beganAt = beganAt;
  }

  /** Signs the first admin in, and mints the two keys that the sequence uses. */
  async begin(): Promise<void> {
    const panel = await this.panel("admin");
    if (panel === null) throw new Error(`The panel of the ${this.side.name} does not let the first admin in.`);
    const mint = async (scope: "READ" | "WRITE") =>
      (await runInPanel(panel, "mintApiKey", { label: `differential ${scope}`, scope, lifetimeDays: 90 })).key;
    this.admin = { readKey: await mint("READ"), writeKey: await mint("WRITE") };
  }

  /** An admin signed in to the panel; the same session each time. */
  panel(person: string): Promise<PanelDriver | null> {
    const open = this.#panels.get(person) ?? this.side.panel(person);
    this.#panels.set(person, open);
    return open;
  }

  browser(name: string): Browser {
    const browser = this.#browsers.get(name) ?? new Browser(NO_NOTES, this.side.fetch);
    this.#browsers.set(name, browser);
    return browser;
  }

  consumer(app: Ref): ApiCaller | null {
    const key = this.apps.get(app)?.key;
    return key === undefined ? null : this.#caller(key, CONSUMER_API);
  }

  adminCaller(key: string): ApiCaller {
    return this.#caller(key, ADMIN_API);
  }

  #caller(key: string, api: Api): ApiCaller {
    return new ApiCaller({ baseUrl: this.side.baseUrl, key, notes: NO_NOTES, fetch: this.side.fetch, api });
  }

  scope(who: Subject): SubjectScope {
    return { tenantKey: `tenant-${who.tenant}`, externalSubjectId: who.subject };
  }

  /** The id of the record that a step created; null if it created none, so that dependent steps are skipped. */
  idOf(target: Target, from: ReadonlyMap<Ref, { readonly id: string }>): string | null {
    if (target === "unknown") return UNKNOWN_ID;
    if (target === "malformed") return "not-an-id";
    return from.get(target)?.id ?? null;
  }

  /** The registration of a provider that serves the sequence. */
  async registration(provider: string): Promise<string> {
    const known = this.#registrations.get(provider);
    if (known !== undefined) return known;
    const panel = await this.panel("admin");
    if (panel === null) throw new Error("The first admin can no longer sign in.");
    const all = await runInPanel(panel, "adminRegistrations", {});
    for (const one of all) this.#registrations.set(one.provider, one.id);
    return this.#registrations.get(provider) ?? UNKNOWN_ID;
  }
}

/** One of those that a sequence has made, counted from the newest. */
export function newest<Value>(made: Iterable<Value>, picked: number): Value | undefined {
  const list = [...made];
  return list.at(-1 - (picked % list.length));
}

/** A response in the compared form. */
export function shown({ body, headers, status, text }: WireAnswer) {
  return { status, headers: relevantHeaders(headers), body: body ?? { text } };
}

/**
 * Headers that callers and browsers decide by. What else the server adds protects people from pages of a real address, and
 * the mocks have no such pages.
 */
const COMPARED_HEADERS = [
  "access-control-allow-origin",
  "allow",
  "cache-control",
  "content-type",
  "referrer-policy",
  "retry-after",
  "www-authenticate",
];

export function relevantHeaders(headers: Headers): Readonly<Record<string, string>> {
  const entries = COMPARED_HEADERS.flatMap((name) =>
    headers.has(name) ? [[name, headers.get(name)?.toLowerCase() ?? ""]] : [],
  );
  return { ...Object.fromEntries(entries), "set-cookie": headers.getSetCookie().join("\n") };
}
