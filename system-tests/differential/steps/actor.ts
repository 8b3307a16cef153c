import type { SubjectScope } from "../../../packages/conformance/src/_generated/consumerWire.ts";
import type { PanelDriver, Provider, ProviderPost } from "../../../packages/conformance/src/index.ts";
import { runInPanel } from "../../../packages/conformance/src/target/adminScript.ts";
import { ADMIN_API, type Api, CONSUMER_API } from "../../../packages/conformance/src/wire/apis.ts";
import { Browser } from "../../../packages/conformance/src/wire/browser.ts";
import { ApiCaller, type WireAnswer } from "../../../packages/conformance/src/wire/call.ts";
import {
  type AdminOperationName,
  adminDocumentOf,
  documentOf,
  type OperationName,
} from "../../../packages/conformance/src/wire/documents.ts";
import type { Side } from "./side.ts";

/** What one side showed at a step; null where the step has nothing to do, because what it refers to was never made. */
export type Observation = unknown;

/** The number of the step that made something: what a later step refers to it by. */
export type Ref = number;

/** The id of a connection, session or job: a result of a step, or an unknown id. */
export type Target = Ref | "unknown" | "malformed";

/** A subject of one of the two tenants. */
export interface Subject {
  readonly tenant: "one" | "two" | "unregistered";
  readonly subject: string;
}

/** Which connection an application calls for, and for which subject, if not for the one that made it. */
export interface OnConnection {
  readonly connection: Target;
  readonly who?: Subject | undefined;
}

export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

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

export type Actor = ReturnType<typeof makeActor>;

/** What one side has shown so far, by the step that made it: ids, tokens, pages and browsers. */
export function makeActor(side: Side, beganAt: Date) {
  const browsers = new Map<string, Browser>();
  const panels = new Map<string, Promise<PanelDriver | null>>();
  const admin = { readKey: "", writeKey: "" };
  const apps = new Map<Ref, { readonly n: Ref } & Readonly<Record<"id" | "key" | "origin", string>>>();
  const connections = new Map<Ref, Connection>();
  const caller = (key: string, api: Api) => new ApiCaller({ baseUrl: side.baseUrl, key, fetch: side.fetch, api });
  /** An admin signed in to the panel; the same session each time. */
  const panel = (person: string) => {
    const open = panels.get(person) ?? side.panel(person);
    panels.set(person, open);
    return open;
  };
  const firstAdmin = async () => {
    const opened = await panel("admin");
    if (opened === null) throw new Error(`The panel of the ${side.name} does not let the first admin in.`);
    return opened;
  };
  const scope = (who: Subject): SubjectScope => ({ tenantKey: `tenant-${who.tenant}`, externalSubjectId: who.subject });
  /** The id of the record that a step created; null if it created none, so that dependent steps are skipped. */
  const idOf = (target: Target, from: ReadonlyMap<Ref, { readonly id: string }>): string | null => {
    if (target === "unknown") return UNKNOWN_ID;
    if (target === "malformed") return "not-an-id";
    return from.get(target)?.id ?? null;
  };
  return {
    ...{ side, beganAt, admin, apps, connections, panel, firstAdmin, scope, idOf },
    sessions: new Map<Ref, Session>(),
    identities: new Map<Ref, Identity>(),
    jobs: new Map<Ref, Job>(),
    posts: new Map<Ref, { readonly post: ProviderPost; readonly provider: Provider; readonly account: string }>(),
    adminKeys: new Map<Ref, { readonly id: string; readonly key: string }>(),
    members: new Map<Ref, string>(),
    applicationKeys: new Map<Ref, { readonly keyId: string; readonly application: unknown }>(),
    /** Pages that a browser was sent to, and the URLs of the redirects back. */
    pages: new Map<string, string>(),
    admitted: new Set<string>(),
    shownEvents: new Set<string>(),
    /** Takes a fault away that still plays. */
    lift: [] as (() => Promise<void>)[],
    /** Time that the sequence has let pass. */
    passedMs: 0,
    /** Signs the first admin in, and mints the two keys that the sequence uses. */
    begin: async () => {
      const mint = async (key: "READ" | "WRITE") => {
        const args = { label: `differential ${key}`, scope: key, lifetimeDays: 90 };
        return (await runInPanel(await firstAdmin(), "mintApiKey", args)).key;
      };
      Object.assign(admin, { readKey: await mint("READ"), writeKey: await mint("WRITE") });
    },
    browser: (name: string) => {
      const browser = browsers.get(name) ?? new Browser(undefined, side.fetch);
      browsers.set(name, browser);
      return browser;
    },
    /** Calls an operation of the consumer API as an application; null when the application has no key. */
    call: async (app: Ref, name: OperationName, args: unknown): Promise<Observation> => {
      const key = apps.get(app)?.key;
      return key === undefined ? null : shown(await caller(key, CONSUMER_API).graphql(documentOf(name), args));
    },
    callAdmin: (key: string, name: AdminOperationName, args: unknown): Promise<WireAnswer> =>
      caller(key, ADMIN_API).graphql(adminDocumentOf(name), args),
    /** The names of a connection in a call, by default of the subject that made it; null if it was never made. */
    connectionOf: ({ connection, who }: OnConnection) => {
      const made = typeof connection === "number" ? connections.get(connection) : undefined;
      const connectionId = idOf(connection, connections);
      return connectionId === null ? null : { scope: scope(who ?? made?.who ?? NOBODY), connectionId };
    },
  };
}

export const NOBODY: Subject = { tenant: "one", subject: "nobody" };

/** The value of an answer that has one. */
export function answered<Value>(observation: Observation, name: string): Value | null {
  const { body } = (observation ?? {}) as { body?: { data?: Record<string, Value | null> | null } };
  return body?.data?.[name] ?? null;
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
