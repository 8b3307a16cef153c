import type { Context } from "hono";
import type { AttemptKind, CallbackOutcome, LaunchOutcome } from "../modules/browser/launch.ts";
import type { Service } from "../modules/service.ts";
import { securityLog } from "../platform/log/securityLog.ts";
import { callerAddress } from "./clientAddress.ts";
import type { FormEnv } from "./forms.ts";

/** The client's address and network. */
export function callerOf(context: Context<FormEnv>, service: Service) {
  return callerAddress(context.env.incoming, service);
}

function record(
  context: Context<FormEnv>,
  service: Service,
  event:
    | `${AttemptKind}.${"origin_refused" | "launch_token_refused" | "state_refused" | "foreign_browser"}`
    | "connect.callback_refused",
  { attemptId, reason }: { readonly attemptId: string | null; readonly reason: string | null },
): void {
  const { address, network } = callerOf(context, service);
  securityLog(service).record(event, { attemptId, reason, address }, network);
}

export function recordLaunch(
  context: Context<FormEnv>,
  service: Service,
  kind: AttemptKind,
  launched: LaunchOutcome,
): void {
  if (launched.outcome === "origin-refused") {
    const reason = launched.originMissing ? "no origin" : "foreign origin";
    record(context, service, `${kind}.origin_refused`, { attemptId: launched.attemptId, reason });
  }
  if (launched.outcome === "token-unknown") {
    record(context, service, `${kind}.launch_token_refused`, { attemptId: null, reason: "unknown" });
  }
  if (launched.outcome === "token-spent") {
    record(context, service, `${kind}.launch_token_refused`, { attemptId: launched.attemptId, reason: "used" });
  }
}

/** The consent pane was requested without the cookie that its launch set. */
export function recordForeignPane(context: Context<FormEnv>, service: Service, attemptId: string | null): void {
  record(context, service, "connect.foreign_browser", { attemptId, reason: "consent pane" });
}

export function recordCallback(
  context: Context<FormEnv>,
  service: Service,
  kind: AttemptKind,
  callback: CallbackOutcome<{ readonly id: string }>,
): void {
  switch (callback.outcome) {
    case "unknown-state":
      record(context, service, `${kind}.state_refused`, { attemptId: null, reason: "unknown" });
      break;
    case "state-used":
      record(context, service, `${kind}.state_refused`, { attemptId: callback.attemptId, reason: "used" });
      break;
    case "foreign-browser":
      record(context, service, `${kind}.foreign_browser`, { attemptId: callback.attemptId, reason: null });
      break;
    case "malformed":
      record(context, service, "connect.callback_refused", { attemptId: callback.attempt.id, reason: "malformed" });
  }
}
