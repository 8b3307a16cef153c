import { Worker } from "node:worker_threads";
import { createConsumerMock } from "@social-connect/mocks";
import { SocialConnect } from "@social-connect/sdk";
import { ensure } from "./service.ts";

const NOON = "2026-03-01T12:00:00.000Z";
const LATER = "2026-03-01T12:01:00.000Z";

/** Links an account inside a worker thread, and returns a date of it. */
const IN_WORKER = `
  const { parentPort } = require("node:worker_threads");
  (async () => {
    const { SocialConnect } = await import("@social-connect/sdk");
    const { createConsumerMock } = await import("@social-connect/mocks");
    const now = new Date("${NOON}");
    const mock = createConsumerMock({ now });
    const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock });
    const user = social.forSubject(mock.scope);
    const { id } = await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: mock.returnUrl });
    await mock.connect(id).complete({ account: "channel-1" });
    const { status } = await user.connectResult(id).wait();
    parentPort.postMessage({ now, status });
  })();`;

/** Uses the packages in a worker thread, and passes dates from before a change of the time, of the worker and of structuredClone to the SDK and the mocks. */
export async function useChangedTime(changeTime: (time: Date) => void): Promise<void> {
  const before = new Date(NOON);
  const worker = new Worker(IN_WORKER, { eval: true });
  const { now: ofWorker, status } = await new Promise<{ readonly now: Date; readonly status: string }>(
    (resolve, reject) => worker.once("message", resolve).once("error", reject),
  );
  ensure(status === "COMPLETED", "an account is linked in a worker thread");
  changeTime(new Date(LATER));
  const changed = new Date();
  ensure(changed.toISOString().startsWith("2026-03-01T12:01"), "the time is changed");
  for (const date of [before, ofWorker, structuredClone(before), structuredClone(changed), changed]) {
    const mock = createConsumerMock({ now: date });
    ensure(mock.clock.now() === date.getTime(), "a mock begins at the date");
    const social = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key, fetch: mock.fetch, clock: mock.clock });
    const user = social.forSubject(mock.scope);
    const { id } = await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: mock.returnUrl });
    await mock.connect(id).complete({ account: "channel-1" });
    const result = await user.connectResult(id).wait();
    ensure(result.status === "COMPLETED", "an account is linked");
    const publishedAfter = new Date(date.getTime() - 86_400_000);
    const posts = user.content(result.connectionId, { publishedAfter, publishedBefore: date }).page();
    const refusal: unknown = await posts.catch((error: unknown) => error);
    ensure(Object(refusal).code === "CAPABILITY_UNAVAILABLE", "the service, not the SDK, judges the window");
    const late: unknown = await user
      .connection(result.connectionId, { deadline: date })
      .catch((error: unknown) => error);
    ensure(Object(late).name === "TimeoutError", "a deadline that is now has passed");
  }
}
