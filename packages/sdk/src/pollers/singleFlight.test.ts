import { describe, expect, it } from "vitest";
import { fakeClient } from "../testing/fakeApi.ts";
import { job } from "../testing/samples.ts";

/** A poller whose service responds only when the test resolves it, and counts concurrent requests. */
function delayedService() {
  const waiting: ((value: Response) => void)[] = [];
  const signals: AbortSignal[] = [];
  let underWay = 0;
  let most = 0;
  const { user, clock, social } = fakeClient(
    {},
    {
      retries: 0,
      fetch: (_url, { signal }) => {
        underWay += 1;
        most = Math.max(most, underWay);
        signals.push(signal);
        return new Promise<Response>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener("abort", () => reject(signal.reason));
        }).finally(() => {
          underWay -= 1;
        });
      },
    },
  );
  const answer = (status: string) => waiting.shift()?.(Response.json({ data: { syncJob: job(status) } }));
  return { user, clock, social, signals, answer, maxConcurrent: () => most };
}

/** Runs all pending callbacks. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

describe("a poller with concurrent callers", () => {
  it("sends one request and returns its response to all callers", async () => {
    const { user, signals, answer, maxConcurrent } = delayedService();
    const poller = user.job("c", "j");
    const polls = Promise.all([poller.poll(), poller.poll(), poller.wait(), poller.wait()]);
    await settle();
    expect(signals).toHaveLength(1);
    answer("SUCCEEDED");
    expect((await polls).map(({ status }) => status)).toEqual(Array(4).fill("SUCCEEDED"));
    expect({ requests: signals.length, most: maxConcurrent() }).toEqual({ requests: 1, most: 1 });
  });

  it("sends a new request after the response", async () => {
    const { user, signals, answer } = delayedService();
    const poller = user.job("c", "j");
    for (const status of ["QUEUED", "RUNNING"]) {
      const poll = poller.poll();
      await settle();
      answer(status);
      expect(await poll).toMatchObject({ status });
    }
    expect(signals).toHaveLength(2);
  });

  it("lets one caller abort without affecting the others", async () => {
    const { user, signals, answer } = delayedService();
    const poller = user.job("c", "j");
    const [first, second] = [new AbortController(), new AbortController()];
    const polls = [first, second].map(({ signal }) => poller.poll({ signal }));
    await settle();
    first.abort("the first caller left");
    await expect(polls[0]).rejects.toBe("the first caller left");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    answer("RUNNING");
    expect(await polls[1]).toMatchObject({ status: "RUNNING" });
  });

  it("aborts the request when the last caller aborts, and sends another request for later callers", async () => {
    const { user, signals, answer } = delayedService();
    const poller = user.job("c", "j");
    const stops = [new AbortController(), new AbortController()];
    const polls = stops.map(({ signal }) => poller.poll({ signal }));
    await settle();
    for (const stop of stops) stop.abort("left");
    for (const poll of polls) await expect(poll).rejects.toBe("left");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const next = poller.poll();
    await settle();
    answer("never read");
    answer("QUEUED");
    expect(await next).toMatchObject({ status: "QUEUED" });
    expect(signals).toHaveLength(2);
  });

  it("rejects a later caller at its own deadline", async () => {
    const { user, clock, answer } = delayedService();
    const poller = user.job("c", "j");
    const patient = poller.poll();
    await expect(poller.poll({ deadline: clock.at(0) })).rejects.toMatchObject({ name: "TimeoutError" });
    answer("RUNNING");
    expect(await patient).toMatchObject({ status: "RUNNING" });
  });

  it("lets a caller with a later deadline poll again when the first caller's deadline passes", async () => {
    const { user, clock, signals, answer, maxConcurrent } = delayedService();
    const poller = user.job("c", "j");
    const hasty = poller.poll({ deadline: clock.at(20) });
    const polls = [poller.poll(), poller.poll({ deadline: clock.at(60_000) })];
    await settle();
    await clock.sleep(20);
    await expect(hasty).rejects.toMatchObject({ name: "TimeoutError" });
    await settle();
    answer("never read");
    answer("RUNNING");
    for (const poll of polls) expect(await poll).toMatchObject({ status: "RUNNING" });
    expect({ requests: signals.length, most: maxConcurrent() }).toEqual({ requests: 2, most: 1 });
  });

  it("rejects all callers when the request fails", async () => {
    const { user } = fakeClient({ syncJob: new Response("<h1>no</h1>", { status: 403 }) });
    const poller = user.job("c", "j");
    for (const poll of [poller.poll(), poller.poll()]) {
      await expect(poll).rejects.toMatchObject({ name: "ProtocolError", httpStatus: 403 });
    }
  });
});
