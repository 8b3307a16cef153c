import { setTimeout as realTimeout } from "node:timers";
import { describe, expect, it } from "vitest";
import type { ResponseEvent } from "./_generated/hooks.ts";
import { connectionLost, fakeClient, refusal } from "./testing/fakeApi.ts";
import { connection } from "./testing/samples.ts";

function recorded() {
  const events: unknown[] = [];
  const as = (name: string) => (event: unknown) => void events.push([name, event]);
  return { events, hooks: { onRequest: as("request"), onResponse: as("response"), onRetry: as("retry") } };
}

describe("hooks", () => {
  it("report each request, its end and each retry in order, without arguments or responses", async () => {
    const { events, hooks } = recorded();
    const { user } = fakeClient({ connection: [connectionLost(), connection("c")] }, { hooks });
    await user.connection("c");
    const about = { operation: "connection", callId: expect.any(Number) };
    const ended = { durationMs: 0, correlationId: undefined };
    expect(events).toEqual([
      ["request", { ...about, attempt: 1 }],
      ["response", { ...about, attempt: 1, ...ended, outcome: "TRANSPORT_FAILED" }],
      ["retry", { ...about, attempt: 1, delayMs: 125, code: "TRANSPORT_FAILED" }],
      ["request", { ...about, attempt: 2 }],
      ["response", { ...about, attempt: 2, ...ended, outcome: "OK" }],
    ]);
  });

  it("distinguish concurrent calls", async () => {
    const callIds = new Map<string, Set<number>>();
    const onRequest = ({ operation, callId }: { operation: string; callId: number }) =>
      void callIds.set(operation, (callIds.get(operation) ?? new Set()).add(callId));
    const { social, user } = fakeClient(
      { status: [connectionLost(), { ok: true, message: "" }], connection: connection("c") },
      { hooks: { onRequest } },
    );
    await Promise.all([social.status(), user.connection("c"), user.connection("c")]);
    expect([callIds.get("status")?.size, callIds.get("connection")?.size]).toEqual([1, 2]);
  });

  it("may return a function that is called at the end of that request, successful or not", async () => {
    const ends: string[] = [];
    const stop = new AbortController();
    const onRequest = ({ attempt }: { attempt: number }) => {
      return ({ outcome, correlationId }: ResponseEvent) => {
        ends.push(`${attempt} ${outcome} ${correlationId}`);
        if (ends.length === 3) stop.abort("enough");
      };
    };
    const { user } = fakeClient(
      { connection: [connectionLost(), refusal("FORBIDDEN"), connection("c")] },
      { hooks: { onRequest } },
    );
    await user.connection("c").catch(() => undefined);
    await user.connection("c");
    await user.connection("c", { signal: stop.signal }).catch(() => undefined);
    expect(ends).toEqual([
      "1 TRANSPORT_FAILED undefined",
      "2 FORBIDDEN 99999999-8888-4777-8666-555555555555",
      "1 OK undefined",
      "1 ABORTED undefined",
    ]);
  });

  it("that throw or reject do not affect the call or the process", async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", note);
    try {
      const broken = () => {
        throw new Error("the logger is broken");
      };
      const hooks = { onRequest: () => broken, onResponse: async () => broken(), onRetry: broken };
      const { user } = fakeClient({ connection: [connectionLost(), connection("c")] }, { hooks });
      expect(await user.connection("c")).toEqual(connection("c"));
      // Node reports unhandled rejections after the current turn of the event loop.
      await new Promise((resolve) => realTimeout(resolve, 0));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
