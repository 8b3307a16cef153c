import { EVENT_LIMITS } from "@social-connect/contract";
import { decideTry, eventBody, problemOfStatus, retryAfterSeconds, type TryResult } from "@social-connect/domain";
import type { EventDelivery, EventEndpoint, EventFaultRule, SentEvent, StoredEvent } from "../../state/events.ts";
import type { World } from "../../world/world.ts";
import { clearReceipt, turnOff } from "./endDeliveries.ts";
import { signedHeaders } from "./eventSecrets.ts";

const TIMEOUT_MS = EVENT_LIMITS.timeoutSeconds * 1_000;
/** What a handler of this process reads as the address of its request. */
const IN_PROCESS_URL = "https://app.example.test/events";

interface Try {
  readonly delivery: EventDelivery;
  readonly endpoint: EventEndpoint;
  readonly event: StoredEvent;
}

/** Begins a try that is due, or ends the try in progress at its timeout. */
export function deliverEvent(world: World, id: string, atMs: number): void {
  const { state } = world;
  const delivery = state.eventDeliveries.get(id);
  const endpoint = state.eventEndpoints.get(delivery?.endpointId ?? "");
  const event = state.events.get(delivery?.eventId ?? "");
  if (!delivery || !endpoint || !event || delivery.nextTryAt?.getTime() !== atMs) return;
  const attempt = { delivery, endpoint, event };
  if (delivery.isSending) endTry(world, attempt, failed("TIMEOUT"));
  else beginTry(world, attempt, takeFault(world, endpoint));
}

function beginTry(world: World, attempt: Try, fault: EventFaultRule | null): void {
  const { delivery } = attempt;
  if (fault?.effect === "delay") {
    scheduleAt(world, delivery, world.nowMs() + (fault.delayMs ?? 0));
    return;
  }
  delivery.isSending = true;
  scheduleAt(world, delivery, world.nowMs() + TIMEOUT_MS);
  const sent = [record(world, attempt)];
  if (fault?.effect === "duplicate") sent.push(record(world, attempt));
  if (fault?.effect === "hang") return;
  if (fault?.effect === "unreachable") endTry(world, attempt, failed("CONNECTION"));
  else if (typeof fault?.effect === "number") endTry(world, attempt, answered(world, sent, fault.effect, null));
  else world.begin(send(world, attempt, sent));
}

/** Only the result of a try that has not timed out counts, and none after the mock was reset or restored. */
async function send(world: World, attempt: Try, sent: readonly SentEvent[]): Promise<void> {
  const { state } = world;
  const { tries } = attempt.delivery;
  // After the task: a handler may use the mock.
  await null;
  const results: TryResult[] = [];
  for (const one of sent) results.push(await receive(world, attempt.endpoint, one));
  const isCurrent = attempt.delivery.isSending && attempt.delivery.tries === tries;
  if (world.state === state && isCurrent) endTry(world, attempt, results[0] ?? failed("CONNECTION"));
}

async function receive(world: World, endpoint: EventEndpoint, sent: SentEvent): Promise<TryResult> {
  const { id, url } = endpoint;
  const handler = world.eventHandlers.get(id);
  const init = { method: "POST", headers: signedHeaders(world, endpoint, sent), body: sent.body };
  try {
    if (url !== null) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await globalThis.fetch(url, { ...init, redirect: "manual", signal });
      await response.body?.cancel();
      return answered(world, [sent], response.status, response.headers.get("retry-after"));
    }
    // Without a handler, the mock itself is the receiver.
    const response = (await handler?.(new Request(IN_PROCESS_URL, init))) ?? new Response(null, { status: 204 });
    return answered(world, [sent], response.status, response.headers.get("retry-after"));
  } catch (error) {
    // As a framework does when a handler throws.
    if (url === null) return answered(world, [sent], 500, null);
    return failed(Object(error).name === "TimeoutError" ? "TIMEOUT" : "CONNECTION");
  }
}

function record(world: World, { delivery, endpoint, event }: Try): SentEvent {
  const { id, type, applicationId } = event;
  const body = JSON.stringify(eventBody(event));
  const about = { applicationId, id, type, endpointId: endpoint.id, attempt: delivery.tries + 1, at: world.now() };
  const sent: SentEvent = { ...about, body, status: null };
  world.state.sentEvents.push(sent);
  return sent;
}

function answered(world: World, sent: readonly SentEvent[], status: number, retryAfter: string | null): TryResult {
  for (const one of sent) one.status = status;
  return {
    status,
    problem: problemOfStatus(status),
    retryAfterSeconds: retryAfterSeconds(retryAfter, world.now()),
  };
}

function failed(problem: "TIMEOUT" | "CONNECTION"): TryResult {
  return { status: null, problem, retryAfterSeconds: null };
}

function endTry(world: World, { delivery, endpoint, event }: Try, result: TryResult): void {
  const jitter = result.problem === null ? 0 : world.jitter();
  const change = decideTry(delivery, endpoint, result, jitter, world.now());
  const { status, tries, nextTryAt, responseStatus, problem } = change.delivery;
  Object.assign(delivery, { status, tries, nextTryAt, responseStatus, problem, isSending: false });
  endpoint.failingSince = change.endpoint.failingSince;
  if (delivery.nextTryAt !== null) scheduleAt(world, delivery, delivery.nextTryAt.getTime());
  if (change.turnedOffReason !== null) turnOff(world, endpoint, change.turnedOffReason);
  clearReceipt(world, event.id);
}

function scheduleAt(world: World, delivery: EventDelivery, atMs: number): void {
  delivery.nextTryAt = new Date(atMs);
  world.schedule(atMs, "delivery", delivery.id);
}

function takeFault({ state }: World, { applicationId }: EventEndpoint): EventFaultRule | null {
  const rule = state.eventFaults.find((one) => one.applicationId === applicationId);
  if (rule === undefined) return null;
  rule.left -= 1;
  if (rule.left === 0) state.eventFaults = state.eventFaults.filter((one) => one !== rule);
  return rule;
}
