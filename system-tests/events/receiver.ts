import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { SocialConnectEvent } from "../../packages/contract/src/index.ts";
import { signatureOf } from "../../packages/sdk/src/testing/signedEvents.ts";
import { serve } from "../../packages/testkit/src/index.ts";

/** One try of a delivery, as its receiver saw it. */
export interface ReceivedTry {
  readonly id: string;
  readonly body: string;
  /** The time of this machine, in milliseconds. */
  readonly atMs: number;
  readonly isAccepted: boolean;
}

export interface ReceiverPath {
  /** Set once the endpoint exists: each request must be signed with it. */
  secret: string;
  readonly tries: ReceivedTry[];
  /** Answers, and says whether the receiver has taken the event. */
  readonly answer: (response: ServerResponse, id: string) => boolean;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** The backends of applications, each at a path of its own. */
export async function startReceiver() {
  const paths = new Map<string, ReceiverPath>();
  const problems: string[] = [];
  const server = await serve(async (request, response) => {
    const receiver = paths.get(request.url ?? "");
    const body = await text(request).catch(() => null);
    const id = `${request.headers["webhook-id"]}`;
    if (receiver === undefined || body === null) return void response.writeHead(404).end();
    const signature = signatureOf(receiver.secret, id, `${request.headers["webhook-timestamp"]}`, body);
    if (request.headers["webhook-signature"] !== signature) problems.push(`${id} has another signature`);
    receiver.tries.push({ id, body, atMs: Date.now(), isAccepted: receiver.answer(response, id) });
  });
  return {
    url: server.url,
    paths,
    /** What no request may have. */
    problems,
    open: (path: string, answer: ReceiverPath["answer"]): ReceiverPath => {
      const opened = { secret: "", tries: [], answer };
      paths.set(path, opened);
      return opened;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Takes every event. */
export function accept(response: ServerResponse): boolean {
  response.end();
  return true;
}

/** Never answers: the service gives up after its timeout. */
export function hang(): boolean {
  return false;
}

/**
 * Answers a third of the requests with 500, and does not answer a tenth. An event that was refused six times is taken, because
 * of thousands some would be refused as often as the service tries.
 */
export function unreliable(): ReceiverPath["answer"] {
  const refusals = new Map<string, number>();
  return (response, id) => {
    const refused = refusals.get(id) ?? 0;
    const chance = refused < 6 ? Math.random() : 1;
    if (chance >= 1 / 3 + 1 / 10) return accept(response);
    refusals.set(id, refused + 1);
    return chance < 1 / 10 ? hang() : !response.writeHead(500).end().writableEnded;
  };
}

export function eventOf({ body }: ReceivedTry): SocialConnectEvent {
  return JSON.parse(body) as SocialConnectEvent;
}
