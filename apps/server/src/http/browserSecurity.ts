import type { Context } from "hono";
import type { LaunchOutcome } from "../modules/browser/launch.ts";
import type { Service } from "../modules/service.ts";
import { securityLog } from "../platform/securityLog.ts";
import { callerAddress } from "./clientAddress.ts";
import type { FormEnv } from "./forms.ts";

type Kind = "connect" | "identity";

/** The client's address and network. */
export function callerOf(context: Context<FormEnv>, service: Service) {
  return callerAddress(context.env.incoming, service);
}

function record(
  context: Context<FormEnv>,
  service: Service,
  event:
    | `${Kind}.${"origin_refused" | "launch_token_refused" | "state_refused" | "foreign_browser"}`
    | "connect.callback_refused",
  { attemptId, reason }: { readonly attemptId: string | null; readonly reason: string | null },
): void {
  const { address, network } = callerOf(context, service);
  securityLog(service).record(event, { attemptId, reason, address }, network);
}

export function recordLaunch(context: Context<FormEnv>, service: Service, kind: Kind, launched: LaunchOutcome): void {
  if (launched.outcome === "origin-refused") {
    const reason = launched.originMissing ? "no origin" : "foreign origin";
    record(context, service, `${kind}.origin_refused`, { attemptId: launched.attemptId, reason });
  }
  if (launched.outcome === "token-spent") {
    const reason = launched.attemptId === null ? "unknown" : "used";
    record(context, service, `${kind}.launch_token_refused`, { attemptId: launched.attemptId, reason });
  }
}

/** The outcome of a callback from the provider or the issuer. */
type CallbackOutcome =
  | { readonly outcome: "unknown-state" }
  | { readonly outcome: "foreign-browser" | "state-used" | "malformed"; readonly attemptId: string };

export function recordCallback(
  context: Context<FormEnv>,
  service: Service,
  kind: Kind,
  callback: CallbackOutcome,
): void {
  const attemptId = callback.outcome === "unknown-state" ? null : callback.attemptId;
  switch (callback.outcome) {
    case "unknown-state":
      record(context, service, `${kind}.state_refused`, { attemptId, reason: "unknown" });
      break;
    case "state-used":
      record(context, service, `${kind}.state_refused`, { attemptId, reason: "used" });
      break;
    case "foreign-browser":
      record(context, service, `${kind}.foreign_browser`, { attemptId, reason: null });
      break;
    case "malformed":
      record(context, service, "connect.callback_refused", { attemptId, reason: "malformed" });
  }
}
