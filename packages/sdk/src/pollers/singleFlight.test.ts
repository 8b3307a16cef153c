import { describe, expect, it } from "vitest";
import { fakeClient } from "../testing/fakeApi.ts";
import { job } from "../testing/samples.ts";

/** A poller whose service answers only when the test lets it, and counts how many requests are under way. */
function heldBack() {
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
  return { user, clock, social, signals, answer, mostUnderWay: () => most };
}

/** Lets everything that is ready happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

describe("a poller that many ask at once", () => {
  it("has one request under way and gives its answer to all of them", async () => {
    const { user, signals, answer, mostUnderWay } = heldBack();
    const poller = user.job("c", "j");
    const looks = Promise.all([poller.poll(), poller.poll(), poller.wait(), poller.wait()]);
    await settle();
    expect(signals).toHaveLength(1);
    answer("SUCCEEDED");
    expect((await looks).map(({ status }) => status)).toEqual(Array(4).fill("SUCCEEDED"));
    expect({ requests: signals.length, most: mostUnderWay() }).toEqual({ requests: 1, most: 1 });
  });

  it("asks anew once the answer is there", async () => {
    const { user, signals, answer } = heldBack();
    const poller = user.job("c", "j");
    for (const status of ["QUEUED", "RUNNING"]) {
      const look = poller.poll();
      await settle();
      answer(status);
      expect(await look).toMatchObject({ status });
    }
    expect(signals).toHaveLength(2);
  });

  it("lets one of them go without taking the answer from the others", async () => {
    const { user, signals, answer } = heldBack();
    const poller = user.job("c", "j");
    const [first, second] = [new AbortController(), new AbortController()];
    const looks = [first, second].map(({ signal }) => poller.poll({ signal }));
    await settle();
    first.abort("the first has gone");
    await expect(looks[0]).rejects.toBe("the first has gone");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    answer("RUNNING");
    expect(await looks[1]).toMatchObject({ status: "RUNNING" });
  });

  it("ends the request when the last one has gone, and sends another for who comes then", async () => {
    const { user, signals, answer } = heldBack();
    const poller = user.job("c", "j");
    const stops = [new AbortController(), new AbortController()];
    const looks = stops.map(({ signal }) => poller.poll({ signal }));
    await settle();
    for (const stop of stops) stop.abort("gone");
    for (const look of looks) await expect(look).rejects.toBe("gone");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const next = poller.poll();
    await settle();
    answer("never read");
    answer("QUEUED");
    expect(await next).toMatchObject({ status: "QUEUED" });
    expect(signals).toHaveLength(2);
  });

  it("lets one whose deadline has passed go, be it not the one who asked first", async () => {
    const { user, clock, answer } = heldBack();
    const poller = user.job("c", "j");
    const patient = poller.poll();
    await expect(poller.poll({ deadline: clock.at(0) })).rejects.toMatchObject({ name: "TimeoutError" });
    answer("RUNNING");
    expect(await patient).toMatchObject({ status: "RUNNING" });
  });

  it("lets who has more time look again when the one who asked first has run out of it", async () => {
    const { user, clock, signals, answer, mostUnderWay } = heldBack();
    const poller = user.job("c", "j");
    const hasty = poller.poll({ deadline: clock.at(20) });
    const looks = [poller.poll(), poller.poll({ deadline: clock.at(60_000) })];
    await settle();
    await clock.sleep(20);
    await expect(hasty).rejects.toMatchObject({ name: "TimeoutError" });
    await settle();
    answer("never read");
    answer("RUNNING");
    for (const look of looks) expect(await look).toMatchObject({ status: "RUNNING" });
    expect({ requests: signals.length, most: mostUnderWay() }).toEqual({ requests: 2, most: 1 });
  });

  it("tells all of them when the look fails", async () => {
    const { user } = fakeClient({ syncJob: new Response("<h1>no</h1>", { status: 403 }) });
    const poller = user.job("c", "j");
    for (const look of [poller.poll(), poller.poll()]) {
      await expect(look).rejects.toMatchObject({ name: "ProtocolError", httpStatus: 403 });
    }
  });
});
