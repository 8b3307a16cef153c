import { ERROR_CODES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { html, raw } from "hono/html";
import type { FaultOptions } from "../../control/faultsControl.ts";
import { redactText } from "../../graphql/callLog.ts";
import { ADMIN_OPERATIONS, OPERATIONS } from "../../graphql/documents.ts";
import type { ConsumerMock } from "../../mock/consumerMock.ts";
import { SCENARIO_NAMES } from "../../scenarios/scenarios.ts";
import { CALL_FAILURES, PROVIDER_CALLS } from "../../state/providerCall.ts";
import { ANY_OPERATION, MALFORMED_KINDS, type ServiceFault } from "../../state/serviceFaults.ts";

type Html = ReturnType<typeof raw>;
type Content = Html | Promise<Html> | string;

/** The newest records of a list; the control API has all. */
const NEWEST = 50;

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#767676,#8c8c8c);--accent:light-dark(#0b57d0,#a8c7fa);
--problem:light-dark(#b3261e,#f2b8b5)}*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:75rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#fff,#121212);
color:light-dark(#1b1b1b,#ececec)}
h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p{margin:.25rem 0}a{color:var(--accent)}
form{display:inline-flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:.25rem .5rem .25rem 0;max-width:100%}
label{display:flex;flex-direction:column;font-size:.875rem;max-width:100%}
button,select,input{font:inherit;min-height:2.25rem;max-width:100%;padding:.25rem .6rem;color:inherit;background:transparent;
border:1px solid var(--line);border-radius:.4rem}select option{background:light-dark(#fff,#121212)}
button{cursor:pointer}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.table{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}caption{text-align:start;padding:.4rem .6rem;font-weight:600}
th,td{text-align:start;padding:.35rem .6rem;border-top:1px solid var(--line);vertical-align:top}
td form{margin:0}code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
.problem{border:2px solid var(--problem);border-radius:.4rem;padding:.6rem 1rem;margin:1rem 0}`;

/** The page, without keys, tokens and proofs. */
export function inspectionHtml(
  mock: ConsumerMock,
  { formToken, problem }: { readonly formToken: string; readonly problem: string | null },
): string {
  const form = (command: string, content: Content) =>
    html`<form method="post" action="/"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="command" value="${command}">${content}</form>`;
  const alert = problem === null ? "" : html`<p class="problem" role="alert"><strong>${problem}</strong></p>`;
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>Social Connect mock</title><link rel="icon" href="data:,"><style>${raw(STYLE)}</style></head>
<body><main><h1>Social Connect mock</h1>
<p>The service in memory at <code>${mock.baseUrl}</code>. <a href="/">Reload</a></p>
${alert}${clockSection(mock, form)}${faultSection(mock, form)}${callSection(mock, form)}${stateSection(mock, form)}
</main></body></html>
`;
  // The lists contain none; this also covers secrets that a test has used as a name.
  return redactText(String(page), { isShortened: false });
}

/** A form that sends commands of the control API. */
type FormOf = (command: string, content: Content) => Html | Promise<Html>;

const KINDS = {
  manual: "It only moves when it is advanced.",
  running: "It runs on.",
  system: "It follows the system clock.",
};

function clockSection({ clock }: ConsumerMock, form: FormOf): Content {
  const steps = [
    ["10s", "10 seconds"],
    ["10m", "10 minutes"],
    ["1h", "1 hour"],
    ["1d", "1 day"],
  ].map(([by, name]) =>
    form("POST clock/advance", html`<input type="hidden" name="by" value="${by}"><button>Advance ${name}</button>`),
  );
  const waiting = clock.isWaitedFor ? html`<p>A delayed request waits for the clock.</p>` : "";
  return html`<section aria-labelledby="clock"><h2 id="clock">Clock</h2>
<p><time datetime="${clock.date().toISOString()}">${clock.date().toISOString()}</time>. ${KINDS[clock.kind]}</p>${waiting}
${steps}${form("POST clock/advance", html`<label>Advance by<input name="by" required placeholder="1h30m" size="8"></label><button>Advance</button>`)}
${form("POST settle", html`<button>Finish all jobs</button>`)}</section>`;
}

function faultSection(mock: ConsumerMock, form: FormOf): Content {
  const remove = (fault: string, name: string) =>
    form(`DELETE ${fault}`, html`<button aria-label="Remove the fault of ${name}">Remove</button>`);
  const rows = [
    ...mock.faults
      .list()
      .map(({ id, operation, fault, left, probability }) => [
        operation === ANY_OPERATION ? "every operation" : operation,
        effectText(fault),
        probability < 1 ? `each request with a probability of ${probability}` : usesText(left),
        remove(`faults/${id}`, operation),
      ]),
    ...mock.providerFaults
      .list()
      .map(({ id, provider, call, account, left }) => [
        `${call} at ${provider}${account === null ? "" : ` for ${account}`}`,
        "fault of the provider",
        usesText(left),
        remove(`provider-faults/${id}`, `${call} at ${provider}`),
      ]),
  ];
  const clear =
    rows.length === 0 ? "" : form("DELETE faults, DELETE provider-faults", html`<button>Clear all faults</button>`);
  const times = html`<label>For<select name="times">${options([
    ["1", "the next request"],
    ["3", "3 requests"],
    ["", "every request"],
  ])}</select></label>`;
  const operations = [ANY_OPERATION, ...OPERATIONS, ...ADMIN_OPERATIONS];
  const effects: FaultOptions[] = [
    ...ERROR_CODES.map((code) => (code === "RATE_LIMITED" ? { code, retryAfterSeconds: 5 } : { code })),
    { status: 503 },
    { drop: "before" },
    { drop: "after" },
    ...MALFORMED_KINDS.map((malformed) => ({ malformed })),
    { delay: "2s" },
  ];
  const named = effects.map((effect) => [JSON.stringify(effect), Object.entries(effect)[0]?.join(" ") ?? ""] as const);
  return html`<section aria-labelledby="faults"><h2 id="faults">Faults</h2>
${table("Active faults", ["Where", "Effect", "For", "Change"], rows)}${clear}
<div>${form("POST faults", html`<label>Operation<select name="operation">${optionsOf(operations)}</select></label><label>Effect<select name="fault">${options(named)}</select></label>${times}<button>Add fault</button>`)}</div>
<div>${form("POST provider-faults", html`<label>Provider<select name="provider">${optionsOf(SOCIAL_PROVIDERS)}</select></label><label>Call<select name="call">${optionsOf(["any", ...PROVIDER_CALLS])}</select></label><label>Failure<select name="failure">${optionsOf(CALL_FAILURES)}</select></label>${times}<button>Add fault of the provider</button>`)}</div></section>`;
}

function callSection({ calls }: ConsumerMock, form: FormOf): Content {
  const rows = calls
    .all()
    .slice(-NEWEST)
    .toReversed()
    .map(({ number, at, operation, outcome, httpStatus, arguments: passed }) => [
      String(number),
      at.toISOString(),
      operation ?? "none",
      outcome,
      httpStatus === null ? "no response" : String(httpStatus),
      html`<code>${JSON.stringify(passed ?? null)}</code>`,
    ]);
  const columns = ["Number", "Time", "Operation", "Outcome", "HTTP status", "Arguments"];
  return html`<section aria-labelledby="calls"><h2 id="calls">Calls</h2>${table(`Newest calls, up to ${NEWEST}`, columns, rows)}
${form("DELETE calls", html`<button>Clear calls</button>`)}</section>`;
}

function stateSection(mock: ConsumerMock, form: FormOf): Content {
  const { application } = mock;
  const connections = mock.connections().map(({ state }) => state);
  const scenarios = html`<label>Scenario<select name="command">${options(SCENARIO_NAMES.map((name) => [`POST scenarios/${name}`, name]))}</select></label><button>Load scenario</button>`;
  return html`<section aria-labelledby="state"><h2 id="state">State</h2>
<p>Application <strong>${application.slug}</strong>, ${application.isEnabled ? "enabled" : "disabled"}, with the tenants ${application.tenantKeys.join(", ")}.</p>
<p>Registrations: ${SOCIAL_PROVIDERS.map((provider) => `${provider} ${mock.registration(provider).status}`).join(", ")}.</p>
${table(
  "Connections",
  ["Provider", "Account", "Status", "Capabilities", "Id"],
  newest(connections).map(({ provider, account, status, capabilities, id }) => [
    provider,
    account ?? "erased",
    status,
    capabilities.join(", "),
    html`<code>${id}</code>`,
  ]),
)}
${table(
  "Connect attempts",
  ["Status", "Result", "Id"],
  newest(mock.connectAttempts()).map(({ status, resultCode, id }) => [
    status,
    resultCode ?? "none",
    html`<code>${id}</code>`,
  ]),
)}
${table(
  "Jobs",
  ["Kind", "Status", "Error", "Next retry", "Connection"],
  newest(mock.jobs()).map(({ kind, status, errorCode, nextRetryAt, connectionId }) => [
    kind,
    status,
    errorCode ?? "none",
    nextRetryAt ?? "none",
    html`<code>${connectionId}</code>`,
  ]),
)}
${form("", scenarios)}${form("POST reset", html`<button>Reset the mock</button>`)}</section>`;
}

function newest<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(-NEWEST).toReversed();
}

function table(caption: string, columns: readonly string[], rows: readonly (readonly Content[])[]): Content {
  if (rows.length === 0) return html`<p>${caption}: none.</p>`;
  const head = columns.map((name) => html`<th scope="col">${name}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`);
  // Scrollable with the keyboard.
  return html`<div class="table" role="region" tabindex="0" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function optionsOf(values: readonly string[]): Content[] {
  return options(values.map((value) => [value, value]));
}

function options(values: readonly (readonly [value: string, name: string])[]): Content[] {
  return values.map(([value, name]) => html`<option value="${value}">${name}</option>`);
}

function usesText(left: number | null): string {
  if (left === null) return "every request";
  return left === 1 ? "the next request" : `the next ${left} requests`;
}

function effectText({ code, retryAfterSeconds, status, delayMs, drop, malformed }: ServiceFault): string {
  const effects = [
    code,
    retryAfterSeconds !== undefined && `retry after ${retryAfterSeconds} s`,
    status !== undefined && `HTTP ${status}`,
    delayMs !== undefined && `delay of ${delayMs} ms`,
    drop !== undefined && `connection closed ${drop} the operation`,
    malformed !== undefined && `malformed response: ${malformed}`,
  ];
  return effects.filter((effect) => typeof effect === "string").join(", ");
}
