import { setTimeout as delay } from "node:timers/promises";
import type { Operations } from "../../packages/conformance/src/_generated/consumerWire.ts";
import { ADMIN_API, type Api, CONSUMER_API } from "../../packages/conformance/src/wire/apis.ts";
import { Browser, type Visit } from "../../packages/conformance/src/wire/browser.ts";
import { ApiCaller, NO_NOTES } from "../../packages/conformance/src/wire/call.ts";
import {
  type AdminAnswer,
  type AdminArgs,
  type AdminOperationName,
  adminDocumentOf,
  documentOf,
  type OperationName,
} from "../../packages/conformance/src/wire/documents.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { ApplicationAccess } from "./cluster.ts";
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

const impatient: typeof fetch = (address, init) =>
  fetch(address, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });

/** Calls the service at its public address, as the backends, browsers and admins of two applications do. */
export class Client {
  readonly applications: Readonly<Record<Scope["application"], ApplicationAccess>>;
  readonly #baseUrl: string;
  readonly #adminKey: string;
  readonly #journal: Journal;

  constructor(
    { admin, url }: Pick<Deployment, "admin" | "url">,
    applications: Client["applications"],
    journal: Journal,
  ) {
    this.applications = applications;
    this.#baseUrl = url;
    this.#adminKey = admin.writeKey;
    this.#journal = journal;
  }

  /** One call of the consumer API; `about` names it in the log. */
  call<Name extends OperationName>(
    application: Scope["application"],
    about: string,
    name: Name,
    args: Operations[Name]["args"],
  ): Promise<Answer<Operations[Name]["answer"]>> {
    const api = this.#caller(this.applications[application].key, CONSUMER_API);
    return this.#note(about, send(api, name, documentOf(name), args));
  }

  callAdmin<Name extends AdminOperationName>(
    about: string,
    name: Name,
    args: AdminArgs<Name>,
  ): Promise<Answer<AdminAnswer<Name>>> {
    return this.#note(about, send(this.#caller(this.#adminKey, ADMIN_API), name, adminDocumentOf(name), args));
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
    const { webOrigin } = this.applications[application];
    return this.#browse(address, "", (browser) => browser.post(address, { launchToken }, webOrigin));
  }

  /** Follows the provider's or the issuer's redirect back to the service. */
  comeBack(address: URL, cookie: string): Promise<BrowserAnswer | null> {
    return this.#browse(address.href, cookie, (browser) => browser.get(address));
  }

  #caller(key: string, api: Api): ApiCaller {
    return new ApiCaller({ baseUrl: this.#baseUrl, key, api, notes: NO_NOTES, fetch: impatient });
  }

  async #browse(
    address: string,
    cookie: string,
    visit: (browser: Browser) => Promise<Visit>,
  ): Promise<BrowserAnswer | null> {
    const browser = new Browser(NO_NOTES, impatient, cookie);
    const visited = await visit(browser).catch(() => null);
    this.#journal.write("browser", { path: new URL(address).pathname, status: visited?.status ?? "no answer" });
    return visited && { location: visited.location, cookie: browser.cookieHeader };
  }

  async #note<Data>(about: string, sent: Promise<Answer<Data>>): Promise<Answer<Data>> {
    const answer = await sent;
    const told =
      answer.kind === "refused" ? answer.code : answer.kind === "acknowledged" ? idsOf(answer.data) : undefined;
    this.#journal.write("call", { about, answer: answer.kind, ...(told !== undefined && { told }) });
    return answer;
  }
}

async function send<Data>(api: ApiCaller, name: string, query: string, args: object): Promise<Answer<Data>> {
  const body = await api.graphql(query, args).then(
    (answer) => answer.body,
    () => null,
  );
  const code = body?.errors?.[0]?.extensions?.code;
  if (code === "UPSTREAM_UNAVAILABLE") return { kind: "unknown" };
  if (code !== undefined) return { kind: "refused", code };
  return body?.data == null ? { kind: "unknown" } : { kind: "acknowledged", data: body.data[name] as Data };
}

const SHOWN = /^(?:id|status|connectionId|revokeJobId|eraseJobId|errorCode|resultCode|creatorAction)$/;

/** The parts of an answer that may be logged: ids and states. */
function idsOf(result: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return undefined;
  return Object.fromEntries(Object.entries(result).filter(([name]) => SHOWN.test(name)));
}
