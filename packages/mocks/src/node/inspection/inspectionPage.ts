import { randomBytes, timingSafeEqual } from "node:crypto";
import { hostNameOf, isLoopbackHost, localRequestProblem } from "@social-connect/domain";
import { parseJson } from "@social-connect/transport";
import { type Incoming, type Outcome, type Peer, type Reply, readForm } from "../../http/exchange.ts";
import type { ConsumerMock } from "../../mock/consumerMock.ts";
import { MOCK_PATH } from "../../state/addresses.ts";
import { inspectionHtml } from "./inspectionHtml.ts";

const HEADERS: Reply["headers"] = [
  ["cache-control", "no-store"],
  // Unlike `no-referrer`, it keeps the Origin header of the page's own forms.
  ["referrer-policy", "same-origin"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  [
    "content-security-policy",
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ],
];

const NOT_ALLOWED: Reply = { status: 405, headers: [["allow", "GET, HEAD, POST"], ...HEADERS], body: null };

/**
 * The page at `/` of a served mock, which shows its state and changes it. It has no scripts. Only this machine can open it,
 * under a loopback name, so that neither the network nor a name that an attacker points to 127.0.0.1 reaches it.
 */
export class InspectionPage {
  readonly #mock: ConsumerMock;
  /** Another site cannot read it, so it cannot post a form. */
  readonly #formToken = randomBytes(16).toString("base64url");

  constructor(mock: ConsumerMock) {
    this.#mock = mock;
  }

  /** null for a request that is not for the page. */
  async answer(request: Incoming, { isLoopback }: Peer): Promise<Outcome | null> {
    const { method, url, headers } = request;
    if (url.pathname !== "/" || !isLoopback || !isLoopbackHost(hostNameOf(headers.get("host") ?? "") ?? ""))
      return null;
    if (method === "GET" || method === "HEAD") return this.#page(200, null, method === "HEAD");
    return method === "POST" ? this.#post(request) : NOT_ALLOWED;
  }

  async #post(request: Incoming): Promise<Outcome> {
    const form = await readForm(request);
    if (!isOwnOrigin(request) || form === null || !isEqual(form.get("token") ?? "", this.#formToken))
      return this.#page(403, "The form does not come from this page, or is older than the mock. Try again.");
    const { command, token: _, ...fields } = Object.fromEntries([...form].filter(([, value]) => value !== ""));
    const body = JSON.stringify({ ...fields, ...parsed(fields, "fault"), ...parsed(fields, "times") });
    for (const one of command?.split(", ") ?? []) {
      const [method = "", path = ""] = one.split(" ");
      const url = new URL(`${this.#mock.baseUrl}${MOCK_PATH}/${path}`);
      const outcome = await this.#mock.answer({ ...request, method, url, text: async () => body });
      if (outcome === "dropped") return outcome;
      if (outcome.status !== 200) return this.#page(400, JSON.parse(outcome.body ?? "").error);
    }
    return { status: 303, headers: [["location", "/"], ...HEADERS], body: null };
  }

  #page(status: number, problem: string | null, isHead = false): Reply {
    const body = isHead ? null : inspectionHtml(this.#mock, { formToken: this.#formToken, problem });
    return { status, headers: [["content-type", "text/html; charset=utf-8"], ...HEADERS], body };
  }
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The field of a form that is JSON. */
function parsed(fields: Readonly<Record<string, string>>, name: string) {
  return name in fields && { [name]: parseJson(fields[name] ?? "") };
}

/** Browsers send the origin of the page with every form. */
function isOwnOrigin({ method, headers }: Incoming): boolean {
  const arrived = { method, hosts: [headers.get("host") ?? ""], header: (name: string) => headers.get(name) };
  return headers.has("origin") && localRequestProblem(arrived) === null;
}
