import { createHmac } from "node:crypto";
import type { EventEndpoint } from "../target/target.ts";
import { DisconnectSteps } from "./disconnects.ts";
import { DATE_TIME, UUID } from "./findings.ts";
import { MINUTE_MS } from "./jobs.ts";

/** Below the timeout of a case, so that a report shows what arrived instead. */
const ARRIVAL_MS = 60_000;

/** A request that a receiver got. */
export interface ReceivedEvent {
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text. */
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

const SUBJECT = ["provider", "tenantKey", "externalSubjectId"];
const RESULT = ["status", "code"];
/** The fields of `data`, by the first part of the type. */
const DATA_FIELDS: Readonly<Record<string, readonly string[]>> = {
  connect: [...SUBJECT, "attemptId", "connectionId", ...RESULT],
  connection: [...SUBJECT, "connectionId", ...RESULT],
  job: [...SUBJECT, "connectionId", "jobId", ...RESULT],
  receipt: [...SUBJECT, "connectionId", "jobId", ...RESULT],
  identity: ["tenantKey", "attemptId", ...RESULT],
  test: [],
};

/** The backend of an application, with its endpoint: it accepts events unless it was told other statuses. */
export class Receiver {
  readonly events: ReceivedEvent[] = [];
  readonly endpoint: EventEndpoint;
  readonly #statuses: number[];

  constructor(endpoint: EventEndpoint, events: ReceivedEvent[], statuses: number[]) {
    this.endpoint = endpoint;
    this.events = events;
    this.#statuses = statuses;
  }

  /** The next requests get these statuses. */
  answers(...statuses: readonly number[]): void {
    this.#statuses.push(...statuses);
  }

  /** The types of what arrived, sorted. */
  get types(): string[] {
    return this.events.map(({ body }) => body.type).sort();
  }
}

/** Events, as the backend of the case's application receives them. */
export class EventSteps extends DisconnectSteps {
  /** Runs with an endpoint for these types; for all types without any. */
  async receiving(during: (receiver: Receiver) => Promise<void>, types: readonly string[] = []): Promise<void> {
    const events: ReceivedEvent[] = [];
    const statuses: number[] = [];
    const receive = async (request: Request) => {
      const text = await request.text();
      events.push({ headers: request.headers, text, body: JSON.parse(text) });
      const status = statuses.shift() ?? 204;
      const headers = status === 302 ? { location: "/elsewhere" } : {};
      return new Response(null, { status, headers });
    };
    const endpoint = await this.driver("events").addEndpoint(await this.clientId(), receive, types);
    this.hides(endpoint.secret);
    try {
      await during(new Receiver(endpoint, events, statuses));
    } finally {
      await endpoint.remove();
    }
  }

  /** Waits for an event of a type that is about this, and checks its form and its signature. */
  async arrives(receiver: Receiver, type: string, data: Readonly<Record<string, unknown>> = {}) {
    const isIt = ({ body }: ReceivedEvent) =>
      body.type === type && Object.entries(data).every(([field, value]) => body.data[field] === value);
    const events = await this.eventually(
      `${type} arrives with ${JSON.stringify(data)}`,
      async () => receiver.events.map(({ body }) => body),
      () => receiver.events.some(isIt),
      ARRIVAL_MS,
    );
    const event = receiver.events.find(isIt) as ReceivedEvent;
    this.holds(events.length > 0, "something arrived");
    this.isEvent(event);
    this.holds(isSignedWith(event, receiver.endpoint.secret), "it is signed with the endpoint's secret");
    return event;
  }

  /** Waits until nothing is left to arrive, and compares the types of all that arrived and of all that is stored. */
  async onlyArrive(receiver: Receiver, types: readonly string[], stored = types): Promise<void> {
    const id = await receiver.endpoint.sendTest();
    const isTest = ({ headers }: ReceivedEvent) => headers.get("webhook-id") === id;
    await this.eventually("a later event arrives", async () => receiver.events.some(isTest), Boolean);
    const arrived = receiver.events.filter((event) => !isTest(event));
    this.equal(arrived.map(({ body }) => body.type).sort(), [...types].sort(), "what arrived");
    const list = await this.driver("events").list(await this.clientId());
    const others = list.filter((event) => event.type !== "test");
    this.equal(others.map(({ type }) => type).sort(), [...stored].sort(), "what is stored");
  }

  /** The form of an event and of its request, by the Standard Webhooks specification. */
  isEvent({ headers, text, body }: ReceivedEvent): void {
    this.matches(headers.get("content-type"), /^application\/json/, "content-type");
    this.matches(headers.get("webhook-id"), UUID, "webhook-id");
    this.matches(headers.get("webhook-timestamp"), /^\d+$/, "webhook-timestamp");
    this.near(Number(headers.get("webhook-timestamp")) * 1_000, Date.now(), 5 * MINUTE_MS, "webhook-timestamp");
    this.matches(headers.get("webhook-signature"), /^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)?$/, "signature");
    this.equal(Object.keys(body).sort(), ["data", "timestamp", "type"], "the fields of the body");
    this.matches(body.timestamp, DATE_TIME, "timestamp");
    const [kind = ""] = body.type.split(".");
    this.equal(Object.keys(body.data).sort(), [...(DATA_FIELDS[kind] ?? [])].sort(), `the data of ${body.type}`);
    this.holds(!text.includes("whsec_"), "no secret");
  }
}

export function isSignedWith({ headers, text }: ReceivedEvent, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${text}`;
  const signature = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return headers.get("webhook-signature")?.split(" ").includes(signature) === true;
}
