import { setTimeout as delay } from "node:timers/promises";
import type { Operations } from "../../packages/conformance/src/_generated/consumerWire.ts";
import { ADMIN_API, type Api, CONSUMER_API } from "../../packages/conformance/src/wire/apis.ts";
import { Browser, type Visit } from "../../packages/conformance/src/wire/browser.ts";
import { ApiCaller } from "../../packages/conformance/src/wire/call.ts";
import {
  type AdminAnswer,
  type AdminOperationName,
  adminDocumentOf,
  invoke,
  type OperationName,
  type Outcome,
  outcomeOf,
} from "../../packages/conformance/src/wire/documents.ts";
import type { Launch } from "../actors/person.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { ApplicationAccess } from "./cluster.ts";
import type { Journal } from "./journal.ts";
import type { Scope } from "./known.ts";

/**
 * What a caller knows after a call. `unknown`: no response, or UPSTREAM_UNAVAILABLE; the call may have been applied, or
 * may still be.
 */
export type Answer<Data> =
  | { readonly kind: "acknowledged"; readonly data: Data }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "unknown" };

/** A frozen process answers nothing: the caller gives up earlier than any bound of the service. */
const CALL_TIMEOUT_MS = 6_000;

const impatient: typeof fetch = (address, init) =>
  fetch(address, { ...init, signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });

/** The parts of a call that may be logged: ids, states and codes. */
const SHOWN = [
  ...["id", "status", "connectionId", "revokeJobId", "eraseJobId", "errorCode", "resultCode", "creatorAction", "code"],
  ...["scope", "input", "externalSubjectId", "tenantKey", "providerContentId"],
];

export type Client = ReturnType<typeof openClient>;

/** Calls the service at its public address, as the backends, browsers and admins of two applications do. */
export function openClient(
  { admin, url }: Pick<Deployment, "admin" | "url">,
  applications: Readonly<Record<Scope["application"], ApplicationAccess>>,
  journal: Journal,
) {
  const caller = (key: string, api: Api) => new ApiCaller({ baseUrl: url, key, api, fetch: impatient });

  const note = async <Data>(name: string, args: object, sent: Promise<Outcome<Data>>): Promise<Answer<Data>> => {
    const answer = answerOf(await sent.catch(() => null));
    const told = answer.kind === "acknowledged" ? answer.data : answer;
    journal.write("call", { name, args: shown(args), answer: answer.kind, told: shown(told) });
    return answer;
  };

  /** Where the browser was sent on to; null: no answer. A null location: a page of the service. */
  const browse = async (address: string, cookie: string, visit: (browser: Browser) => Promise<Visit>) => {
    const browser = new Browser(undefined, impatient, cookie);
    const visited = await visit(browser).catch(() => null);
    journal.write("browser", { path: new URL(address).pathname, status: visited?.status ?? "no answer" });
    return visited && { location: visited.location, cookie: browser.cookieHeader };
  };

  /** One that gets no answer is repeated, so many times in all. */
  const ask = async <Name extends OperationName>(
    application: Scope["application"],
    name: Name,
    args: object,
    tries = 6,
  ): Promise<Answer<Operations[Name]["answer"]>> => {
    const api = caller(applications[application].key, CONSUMER_API);
    const call = () => note(name, args, invoke(api, name, args));
    let answer = await call();
    for (let count = 1; count < tries && answer.kind === "unknown"; count += 1) {
      await delay(300 * count);
      answer = await call();
    }
    return answer;
  };

  return {
    applications,
    ask,
    /** A call for a subject. */
    askAs: <Name extends OperationName>({ application, ...scope }: Scope, name: Name, args: object, tries = 6) =>
      ask(application, name, { ...args, scope }, tries),
    callAdmin: <Name extends AdminOperationName>(name: Name, args: object): Promise<Answer<AdminAnswer<Name>>> => {
      const sent = caller(admin.writeKey, ADMIN_API).graphql(adminDocumentOf(name), args);
      const outcome = sent.then((answer) => outcomeOf<AdminAnswer<Name>>(answer, name));
      return note(name, args, outcome);
    },
    /** Posts the launch token as the application's page does. */
    launch: (application: Scope["application"], { launchUrl, launchToken }: Launch) =>
      browse(launchUrl, "", (browser) => browser.post(launchUrl, { launchToken }, applications[application].webOrigin)),
    /** Follows the provider's or the issuer's redirect back to the service. */
    comeBack: (address: URL, cookie: string) => browse(address.href, cookie, (browser) => browser.get(address)),
  };
}

function answerOf<Data>(outcome: Outcome<Data> | null): Answer<Data> {
  const { data, errors } = outcome?.answer.body ?? {};
  const code = errors?.[0]?.extensions?.code;
  if (code !== undefined && code !== "UPSTREAM_UNAVAILABLE") return { kind: "refused", code };
  return outcome?.ok && data ? { kind: "acknowledged", data: outcome.value } : { kind: "unknown" };
}

const shown = (value: unknown): unknown => JSON.parse(JSON.stringify(value, SHOWN) ?? "null");
