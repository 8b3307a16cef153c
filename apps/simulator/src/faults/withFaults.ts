import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type AccountState, type BrokenBody, type Fault, isOfAccount } from "@social-connect/provider-fixtures";
import type { Account } from "../accounts/account.ts";
import { type Call, jsonResponse, retryAfter } from "../shared/http.ts";
import { names } from "../shared/names.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";
import type { Grant } from "../state/grants.ts";

type ResponseHeaders = Readonly<Record<string, string>>;

/** A provider's responses for errors that all providers have. */
export interface ErrorForms {
  /** `headers` has the Retry-After of an explicit fault. */
  unavailable(status: number, headers?: ResponseHeaders): Response;
  rateLimited(
    quota: boolean,
    headers: ResponseHeaders,
    retryAfterSeconds?: number,
    isShortLimitCode?: boolean,
  ): Response;
  accountUnreadable(state: AccountState): Response;
  /** Without a form: the application is blocked or disabled. */
  applicationBlocked(form?: "capability" | "permission"): Response;
  listNotFound(): Response;
  /** A refusal with a code that the provider does not document. */
  refused(status: number, code: string, message: string): Response;
  /** A token of an ended grant. */
  grantGone(grant: Grant): Response;
}

export interface CallFacts {
  readonly provider: ProviderKey;
  readonly endpoint: string;
  /** Selects the part of the script that applies. */
  readonly group: "content" | "profile" | "sign-in" | "refresh";
  readonly account?: Account | undefined;
  readonly grant?: Grant | undefined;
}

/** Handles a call, or applies a fault of the control API or of the account's script. */
export async function withFaults(
  world: World,
  call: Call,
  facts: CallFacts,
  forms: ErrorForms,
  handle: () => Promise<Response> | Response,
): Promise<Response> {
  const trace = call.get("trace");
  trace.endpoint = facts.endpoint;
  if (facts.account !== undefined) trace.account = facts.account.name;
  const requested = world.faults.take(facts.provider, facts.endpoint, facts.account?.name);
  const scripted = scriptedFault(world, facts);
  const fault = requested ?? scripted;
  if (fault === null) return facts.account?.script.otherForms ? inOtherForms(await handle()) : handle();
  trace.note = `fault: ${fault.kind}`;
  if (isOfAccount(fault)) return forms.accountUnreadable(fault.kind);
  switch (fault.kind) {
    case "status":
      return forms.unavailable(fault.status, retryAfter(fault.retryAfterSeconds));
    case "rate-limited":
      return forms.rateLimited(
        fault.quota,
        retryAfter(fault.retryAfterSeconds),
        fault.retryAfterSeconds,
        fault.isShortLimitCode,
      );
    case "application-blocked":
      return forms.applicationBlocked(fault.form);
    case "list-not-found":
      return forms.listNotFound();
    case "refused":
      return forms.refused(fault.status, fault.code, fault.message);
    case "grant-gone":
      if (facts.grant === undefined) return handle();
      // Only this grant: other applications may use the same scripted account.
      world.grants.end(facts.grant, fault.cause);
      return forms.grantGone(facts.grant);
    case "delay":
      await delay(fault.delayMs);
      return handle();
    case "body":
      return sendBrokenBody(call, fault.form);
    case "lost-answer":
      await handle();
      return dropConnection(call, fault.isReset);
  }
}

function scriptedFault(world: World, { group, account, grant }: CallFacts): Fault | null {
  if (account === undefined || grant === undefined || group === "sign-in") return null;
  if (group === "refresh") return account.script.onRefresh ?? null;
  const counter = group === "content" ? "contentCalls" : "profileCalls";
  const callNumber = (grant.counters[counter] ?? 0) + 1;
  grant.counters[counter] = callNumber;
  const script = group === "content" ? account.script.onContentCall : account.script.onProfileCall;
  if (script === undefined) return null;
  world.save();
  return script(callNumber);
}

const HUGE_BYTES = 64 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, '"padding",');
/** A stalled response ends after this time. */
const STALLED_MS = 120_000;
const JSON_TYPE = { "content-type": "application/json; charset=UTF-8" };

/** Returns 200 with an invalid body. Some forms write to the socket directly, because the framework would complete the response. */
async function sendBrokenBody(call: Call, form: BrokenBody): Promise<Response> {
  const { outgoing } = call.env;
  switch (form) {
    case "not-json":
      return new Response("<!doctype html><title>Sorry</title><p>Something went wrong on our end.", {
        headers: { "content-type": "text/html; charset=utf-8" },
      });
    case "other-shape":
      return new Response('{"result":[1,"two",null],"items":{"0":false},"data":"none","error":[]}', {
        headers: JSON_TYPE,
      });
    case "empty":
      return new Response("", { headers: JSON_TYPE });
    case "cut":
      outgoing.writeHead(200, { ...JSON_TYPE, "content-length": "4096" });
      outgoing.write('{"items":[{"id":"', () => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
    case "stalled": {
      outgoing.writeHead(200, JSON_TYPE);
      outgoing.write('{"items":[');
      const timer = setTimeout(() => outgoing.destroy(), STALLED_MS);
      timer.unref();
      outgoing.once("close", () => clearTimeout(timer));
      return RESPONSE_ALREADY_SENT;
    }
    case "huge":
      outgoing.writeHead(200, JSON_TYPE);
      await pipeline(Readable.from(hugeList()), outgoing).catch(() => outgoing.destroy());
      return RESPONSE_ALREADY_SENT;
  }
}

/** Closes the connection before the response. */
function dropConnection({ env }: Call, isReset = false): Response {
  if (isReset) env.outgoing.socket?.resetAndDestroy();
  else env.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

function* hugeList(): Generator<Buffer> {
  yield Buffer.from('{"items":[');
  for (let sent = 0; sent < HUGE_BYTES; sent += CHUNK.length) yield CHUNK;
  yield Buffer.from('""]}');
}

const LINKS = names("share_url permalink profile_deep_link");
const HANDLES = names("username customUrl");
const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+0000)$/;
/** India's. */
const OFFSET = "+05:30";
const OFFSET_MS = 19_800_000;

/** The response with its values in other forms that real providers use. */
async function inOtherForms(response: Response): Promise<Response> {
  if (!response.ok) return response;
  return jsonResponse(otherForm("", await response.json()), response.status, Object.fromEntries(response.headers));
}

function otherForm(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => otherForm(name, element));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, otherForm(key, field)]));
  }
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? otherText(name, value) : value;
}

function otherText(name: string, text: string): unknown {
  if (/count$/i.test(name) && /^\d{1,15}$/.test(text)) return Number(text);
  if (LINKS.has(name)) return text.replace(/^https:/, "");
  if (HANDLES.has(name)) return text.startsWith("@") ? text.slice(1) : `@${text}`;
  const [, time] = UTC_TIME.exec(text) ?? [];
  if (time === undefined) return text;
  return new Date(Date.parse(`${time}Z`) + OFFSET_MS).toISOString().replace(/\.\d+Z$/, OFFSET);
}
