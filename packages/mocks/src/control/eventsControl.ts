import { EVENT_LIMITS, type EventTypeName } from "@social-connect/contract";
import {
  addMs,
  checkEndpointUrl,
  eventBody,
  isLoopbackHost,
  mayResend,
  SELECTABLE_EVENT_TYPES,
  testEvent,
} from "@social-connect/domain";
import { randomFor, randomUuid } from "@social-connect/provider-fixtures";
import { removeEndpoint, turnOff } from "../modules/events/endDeliveries.ts";
import { eventSecret } from "../modules/events/eventSecrets.ts";
import { addDelivery, endpointsOf, recordEvent } from "../modules/events/recordEvents.ts";
import type { EventDelivery, EventEndpoint, EventFaultRule, SentEvent, StoredEvent } from "../state/events.ts";
import { type Duration, durationMs, timeMs } from "../util/duration.ts";
import { allowed, found, MockMisuseError, oneOf, shown } from "../util/misuse.ts";
import type { EventHandler, World } from "../world/world.ts";
import { fieldsOf } from "./fields.ts";

/** An event endpoint as data. */
export interface EventEndpointData {
  /** A URL on this machine. Without one, the mock itself accepts the events. */
  readonly url?: string;
  /** The types that it receives; all by default. */
  readonly types?: readonly EventTypeName[];
}

/** The state of an event endpoint, with its current secret, `whsec_…`. */
export type EventEndpointView = Pick<EventEndpoint, "id" | "url" | "types" | "enabled" | "turnedOffReason"> & {
  readonly secret: string;
};

/** A stored event: its `webhook-id`, its body, and its delivery to each endpoint. */
export type EventView = ReturnType<typeof eventBody> & {
  readonly id: string;
  readonly deliveries: readonly EventDelivery[];
};

/** Registers an endpoint that is given as data. */
export function addEventEndpoint(events: EventsControl, data: EventEndpointData): EventEndpointControl {
  const { url, types = [] } = fieldsOf(data, { url: "string", types: { each: SELECTABLE_EVENT_TYPES } });
  return events.sendTo(url, { types: types as readonly EventTypeName[] });
}

/**
 * Receives the events of an application, and makes deliveries fail. Events are sent by the mock's clock, 10 ms after the change;
 * only `webhook-timestamp` is the time of the machine, because receivers compare it with theirs.
 * `mock.settle()` and `mock.clock.advance()` wait until receivers have responded; for one that does not, use `fail("hang")`.
 */
export class EventsControl {
  readonly #world: World;
  readonly #applicationId: string;

  constructor(world: World, applicationId: string) {
    this.#world = world;
    this.#applicationId = applicationId;
  }

  /**
   * Registers an endpoint: a handler of this process, which gets a `Request` and returns a `Response`, or a URL on this machine.
   * Without a receiver, the mock itself accepts the events. `reset()` and `load()` remove it, unlike `eventEndpoints` of the
   * options.
   */
  sendTo(receiver?: string | EventHandler, options: Omit<EventEndpointData, "url"> = {}): EventEndpointControl {
    const world = this.#world;
    const { types = [] } = fieldsOf(options, { types: { each: SELECTABLE_EVENT_TYPES } });
    const url = typeof receiver === "string" ? checkedUrl(receiver) : null;
    const others = endpointsOf(world, this.#applicationId);
    if (url !== null && others.some((one) => one.url === url))
      throw new MockMisuseError(`The application has an endpoint at ${url} already.`);
    const most = EVENT_LIMITS.endpointsPerApplication;
    if (others.length >= most)
      throw new MockMisuseError(`An application has at most ${most} event endpoints. Remove one first.`);
    // A URL has the same secret after each reset, because the application has it in its settings.
    const ofUrl = () => randomUuid(randomFor("event-endpoint", world.state.seed, this.#applicationId, String(url)));
    const id = url === null ? world.newId() : ofUrl();
    world.state.eventEndpoints.set(id, {
      ...{ id, applicationId: this.#applicationId, url, types: [...types] as readonly EventTypeName[] },
      ...{ secretVersion: 1, previousSecretUntil: null },
      ...{ enabled: true, turnedOffReason: null, failingSince: null, createdAt: world.now() },
    });
    if (typeof receiver === "function") world.eventHandlers.set(id, receiver);
    world.runOnTime();
    return this.endpoint(id);
  }

  /** The endpoints, oldest first. */
  endpoints(): readonly EventEndpointView[] {
    return endpointsOf(this.#world, this.#applicationId).map(({ id }) => this.endpoint(id).state);
  }

  /** Controls an endpoint. Throws a MockMisuseError for an unknown id. */
  endpoint(id: string): EventEndpointControl {
    return new EventEndpointControl(this.#world, this.#applicationId, id);
  }

  /** The stored events, oldest first. Events are stored for 30 days, while the application has an endpoint. */
  list(): readonly EventView[] {
    return this.#events().map((event) => {
      const deliveries = this.#deliveriesOf(event).map((delivery) => ({ ...delivery }));
      return { id: event.id, ...eventBody(event), deliveries };
    });
  }

  /** Every request to an endpoint, oldest first, also repeated and failed ones. */
  sent(): readonly SentEvent[] {
    return this.#world.state.sentEvents.filter(({ applicationId }) => applicationId === this.#applicationId);
  }

  /** Clears the list of sent requests, and removes the faults. */
  clear(): void {
    const { state } = this.#world;
    const isOther = ({ applicationId }: { readonly applicationId: string }) => applicationId !== this.#applicationId;
    state.sentEvents = state.sentEvents.filter(isOther);
    state.eventFaults = state.eventFaults.filter(isOther);
  }

  /** The next tries fail, and the receiver is not called: its HTTP status, no response within 10 s, or no connection. */
  fail(failure: number | "hang" | "unreachable" = 500, times = 1): void {
    const isStatus = Number.isInteger(failure) && Number(failure) >= 300 && Number(failure) <= 599;
    if (typeof failure === "number" && !isStatus) throw new MockMisuseError("Pass a status from 300 to 599.");
    const effect = typeof failure === "number" ? failure : oneOf(failure, ["hang", "unreachable"], "failure");
    this.#add({ effect }, times);
  }

  /** The next tries send the event twice, as after a lost response. */
  duplicate(times = 1): void {
    this.#add({ effect: "duplicate" }, times);
  }

  /** Holds the next tries back, so that later events arrive before them. */
  delay(by: Duration, times = 1): void {
    this.#add({ effect: "delay", delayMs: durationMs(by) }, times);
  }

  /** Holds the next event back for a minute: those that follow arrive before it. */
  reorder(): void {
    this.delay("1m");
  }

  /**
   * Sends stored events again, with the same ids: all, or since a time, only one, or only those that an endpoint has not
   * accepted. Returns how many deliveries follow.
   */
  resend(
    options: { readonly since?: Date | string | number; readonly failed?: boolean; readonly id?: string } = {},
  ): number {
    const { since, failed = false, id } = fieldsOf(options, { since: "any", failed: "boolean", id: "string" });
    if (id !== undefined) found(this.#world.state.events, id, "event");
    const sinceMs = since === undefined ? 0 : timeMs(since as Date | string | number);
    let count = 0;
    for (const event of this.#events()) {
      if (event.occurredAt.getTime() < sinceMs || (id !== undefined && event.id !== id)) continue;
      for (const endpoint of endpointsOf(this.#world, this.#applicationId).filter((one) => mayResend(event, one))) {
        const before = this.#deliveriesOf(event).find(({ endpointId }) => endpointId === endpoint.id);
        if (before?.status === "WAITING" || (failed && before?.status === "SUCCEEDED")) continue;
        if (before !== undefined) this.#world.state.eventDeliveries.delete(before.id);
        addDelivery(this.#world, event.id, endpoint.id);
        count += 1;
      }
    }
    return count;
  }

  #events(): StoredEvent[] {
    const { events } = this.#world.state;
    return [...events.values()].filter(({ applicationId }) => applicationId === this.#applicationId);
  }

  #deliveriesOf({ id }: StoredEvent): EventDelivery[] {
    return [...this.#world.state.eventDeliveries.values()].filter(({ eventId }) => eventId === id);
  }

  #add(fault: Omit<EventFaultRule, "applicationId" | "left">, times: number): void {
    if (!Number.isInteger(times) || times < 1) throw new MockMisuseError("`times` must be an integer, 1 or more.");
    this.#world.state.eventFaults.push({ ...fault, applicationId: this.#applicationId, left: times });
  }
}

/** Controls an event endpoint in place of an admin. */
export class EventEndpointControl {
  readonly #world: World;
  readonly #applicationId: string;
  /** The endpoint's id. */
  readonly id: string;

  constructor(world: World, applicationId: string, id: string) {
    this.#world = world;
    this.#applicationId = applicationId;
    this.id = id;
    this.#endpoint();
  }

  /** The current secret, `whsec_…`. It follows from the seed. */
  get secret(): string {
    return eventSecret(this.#world, this.#endpoint());
  }

  /** The current state of the endpoint. */
  get state(): EventEndpointView {
    const { id, url, types, enabled, turnedOffReason } = this.#endpoint();
    return { id, url, types, secret: this.secret, enabled, turnedOffReason };
  }

  /** Replaces the secret, and returns the new one. For 24 hours both sign. */
  rotate(): string {
    const endpoint = this.#endpoint();
    endpoint.secretVersion += 1;
    endpoint.previousSecretUntil = addMs(this.#world.now(), EVENT_LIMITS.previousSecretHours * 3_600_000);
    return this.secret;
  }

  /** Turns it off: what it has not received ends FAILED. */
  turnOff(): void {
    turnOff(this.#world, this.#endpoint(), "BY_ADMIN");
  }

  /** Turns it on. It receives what happens from now on. */
  turnOn(): void {
    Object.assign(this.#endpoint(), { enabled: true, turnedOffReason: null, failingSince: null });
  }

  /** Sends a test event to it. Returns the event's id. */
  sendTest(): string {
    const endpoint = this.#endpoint();
    if (!endpoint.enabled) throw new MockMisuseError("The endpoint is off. Turn it on first.");
    return recordEvent(this.#world, testEvent(this.#applicationId), endpoint) ?? "";
  }

  /** Removes it with its deliveries. */
  remove(): void {
    removeEndpoint(this.#world, this.#endpoint().id);
  }

  #endpoint(): EventEndpoint {
    const own = endpointsOf(this.#world, this.#applicationId).map((one): [string, EventEndpoint] => [one.id, one]);
    return found(new Map(own), this.id, "event endpoint");
  }
}

/** Mocks never send to another machine. */
export function checkedUrl(url: string): string {
  allowed(checkEndpointUrl(url, "sandbox"), `The event endpoint ${shown(url)}`);
  if (isLoopbackHost(new URL(url).hostname)) return url;
  throw new MockMisuseError(
    "A mock sends events only to this machine: pass a URL such as http://localhost:3000/events, or a handler.",
  );
}
