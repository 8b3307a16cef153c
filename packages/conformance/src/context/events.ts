import { createHmac } from "node:crypto";
import { DATE_TIME, UUID } from "./findings.ts";
import { JobSteps, MINUTE_MS } from "./jobs.ts";

/** Below the timeout of a case, so that a report shows what arrived instead. */
const ARRIVAL_MS = 60_000;

/** A request that a receiver got. */
export interface ReceivedEvent {
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text. */
  readonly body: Readonly<{ type: string; timestamp: string; data: Readonly<Record<string, unknown>> }>;
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

/** The backend of an application, with its endpoint. */
export type Receiver = Awaited<ReturnType<EventSteps["receiver"]>>;

/** Events, as the backend of the case's application receives them. */
export class EventSteps extends JobSteps {
  /** Adds an endpoint for these types, or for all. It accepts events unless it was told other statuses. */
  async receiver(...types: readonly string[]) {
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
    return {
      endpoint,
      events: events as readonly ReceivedEvent[],
      /** The types of what arrived, sorted. */
      types: () => events.map(({ body }) => body.type).sort(),
      /** The next request gets this status. */
      answers: (status: number) => void statuses.push(status),
      [Symbol.asyncDispose]: () => endpoint.remove(),
    };
  }

  /** Waits until enough has arrived. */
  async untilReceived({ events }: Receiver, what: string, isEnough: (events: readonly ReceivedEvent[]) => boolean) {
    const look = async () => events.map(({ body }) => body);
    await this.eventually(what, look, () => isEnough(events), ARRIVAL_MS);
  }

  /** Waits for an event of a type that is about this, and checks its form and its signature. */
  async arrives(receiver: Receiver, type: string, data: Readonly<Record<string, unknown>> = {}) {
    const isIt = ({ body }: ReceivedEvent) =>
      body.type === type && Object.entries(data).every(([field, value]) => body.data[field] === value);
    await this.untilReceived(receiver, `${type} arrives with ${JSON.stringify(data)}`, (events) => events.some(isIt));
    const event = receiver.events.find(isIt) as ReceivedEvent;
    this.isEvent(event);
    this.holds(isSignedWith(event, receiver.endpoint.secret), "it is signed with the endpoint's secret");
    return event;
  }

  /** Waits until nothing is left to arrive, and compares the types of all that arrived and of all that is stored. */
  async onlyArrive(receiver: Receiver, types: readonly string[], stored = types): Promise<void> {
    const id = await receiver.endpoint.sendTest();
    const isTest = ({ headers }: ReceivedEvent) => headers.get("webhook-id") === id;
    await this.untilReceived(receiver, "a later event arrives", (events) => events.some(isTest));
    const arrived = receiver.events.filter((event) => !isTest(event));
    this.equal(arrived.map(({ body }) => body.type).sort(), [...types].sort(), "what arrived");
    const others = (await this.driver("events").list(await this.clientId())).filter(({ type }) => type !== "test");
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
