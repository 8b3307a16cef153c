import { setTimeout as delay } from "node:timers/promises";
import type { DevAddresses } from "../../apps/server/src/dev/addresses.ts";
import type { Operations } from "../../packages/conformance/src/_generated/consumerWire.ts";
import {
  type AdminAnswer,
  type AdminArgs,
  type AdminOperationName,
  adminDocumentOf,
  documentOf,
  type OperationName,
} from "../../packages/conformance/src/wire/documents.ts";
import { adminKeyText } from "../../packages/domain/src/index.ts";
import type { Deployment } from "../../packages/testkit/src/harness/deployment.ts";
import type { Scope } from "./facts.ts";
import type { Journal } from "./journal.ts";

/**
 * What a caller knows after a call. `unknown`: no response, or UPSTREAM_UNAVAILABLE; the call may have been applied, or
 * may still be.
 */
export type Answer<Data> =
  | { readonly kind: "acknowledged"; readonly data: Data }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "unknown" };

/** What the browser was sent on with; a null location: a page of the service. */
export interface BrowserAnswer {
  readonly location: URL | null;
  readonly cookie: string;
}

/** A frozen process answers nothing: the caller gives up earlier than any bound of the service. */
const CALL_TIMEOUT_MS = 6_000;

interface Call {
  readonly path: string;
  readonly key: string;
  readonly about: string;
  readonly name: string;
  readonly query: string;
  readonly args: object;
}

type ClientOptions = Pick<Deployment, "addresses" | "applications" | "secrets">;

/** Calls the service at its public address, as the backends, browsers and admins of two applications do. */
export class Client {
  readonly #addresses: DevAddresses;
  readonly #adminKey: string;
  readonly #journal: Journal;
  readonly applications: Deployment["applications"];

  constructor({ addresses, applications, secrets }: ClientOptions, journal: Journal) {
    this.#addresses = addresses;
    this.#adminKey = adminKeyText(secrets.writeKey);
    this.#journal = journal;
    this.applications = applications;
  }

  /** One call of the consumer API; `about` names it in the log. */
  call<Name extends OperationName>(
    application: Scope["application"],
    about: string,
    name: Name,
    args: Operations[Name]["args"],
  ): Promise<Answer<Operations[Name]["answer"]>> {
    const { key } = this.applications[application];
    return this.#post({ path: "/graphql", key, about, name, query: documentOf(name), args });
  }

  callAdmin<Name extends AdminOperationName>(
    about: string,
    name: Name,
    args: AdminArgs<Name>,
  ): Promise<Answer<AdminAnswer<Name>>> {
    const query = adminDocumentOf(name);
    return this.#post({ path: "/api/admin/graphql", key: this.#adminKey, about, name, query, args });
  }

  /** Repeats a call that got no answer, a few times. */
  async persist<Data>(call: () => Promise<Answer<Data>>, tries = 6): Promise<Answer<Data>> {
    let answer = await call();
    for (let count = 1; count < tries && answer.kind === "unknown"; count += 1) {
      await delay(300 * count);
      answer = await call();
    }
    return answer;
  }

  /** Posts the launch token as the application's page does. */
  launch(application: Scope["application"], address: string, launchToken: string): Promise<BrowserAnswer | null> {
    const { origin } = this.applications[application];
    return this.#browse(address, { method: "POST", headers: { origin }, body: new URLSearchParams({ launchToken }) });
  }

  /** Follows the provider's or the issuer's redirect back to the service. */
  comeBack(address: URL, cookie: string): Promise<BrowserAnswer | null> {
    return this.#browse(address.href, { headers: { cookie } });
  }

  async #browse(address: string, init: RequestInit): Promise<BrowserAnswer | null> {
    const path = new URL(address).pathname;
    try {
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
      const response = await fetch(address, { ...init, redirect: "manual", signal });
      await response.text();
      const location = response.headers.get("location");
      const cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
      this.#journal.write("browser", { path, status: response.status });
      return { location: location === null ? null : new URL(location), cookie };
    } catch {
      this.#journal.write("browser", { path, status: "no answer" });
      return null;
    }
  }

  async #post<Data>(call: Call): Promise<Answer<Data>> {
    const answer = await this.#send<Data>(call);
    const told =
      answer.kind === "refused" ? answer.code : answer.kind === "acknowledged" ? idsOf(answer.data) : undefined;
    this.#journal.write("call", { about: call.about, answer: answer.kind, ...(told !== undefined && { told }) });
    return answer;
  }

  async #send<Data>({ args, key, name, path, query }: Call): Promise<Answer<Data>> {
    try {
      const response = await fetch(this.#addresses.server + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, variables: args }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const body = (await response.json()) as {
        data?: Record<string, Data> | null;
        errors?: { extensions?: { code?: string } }[];
      };
      const code = body.errors?.[0]?.extensions?.code;
      if (code === "UPSTREAM_UNAVAILABLE") return { kind: "unknown" };
      if (code !== undefined) return { kind: "refused", code };
      return body.data == null ? { kind: "unknown" } : { kind: "acknowledged", data: body.data[name] as Data };
    } catch {
      return { kind: "unknown" };
    }
  }
}

const SHOWN = /^(?:id|status|connectionId|revokeJobId|eraseJobId|errorCode|resultCode|creatorAction)$/;

/** Of an answer, what the log may hold: ids and states. */
function idsOf(result: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return undefined;
  return Object.fromEntries(Object.entries(result).filter(([name]) => SHOWN.test(name)));
}
