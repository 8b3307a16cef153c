import { describe, expect, it, vi } from "vitest";
import { receiveEvent } from "./events.ts";
import { handle } from "./snippets/handleEvent.ts";
import { receive } from "./snippets/receiveEvent.ts";
import { fakeClient } from "./testing/fakeApi.ts";
import { connection } from "./testing/samples.ts";
import { deliveryOf, EVENT, newSecret } from "./testing/signedEvents.ts";

const SECRET = newSecret();
const requestOf = ({ headers, body } = deliveryOf(SECRET)) =>
  new Request("https://app.example.com/events", { method: "POST", headers, body });

describe("the handler of the guide", () => {
  it("stores an event with its id, and answers 204", async () => {
    const store = vi.fn(async () => undefined);
    const request = requestOf();
    const id = request.headers.get("webhook-id");
    expect((await receive(request, SECRET, store)).status).toBe(204);
    expect(store).toHaveBeenCalledExactlyOnceWith({ ...EVENT, id });
  });

  it("answers 400 to a forged event, and stores nothing", async () => {
    const store = vi.fn();
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect((await receive(requestOf(deliveryOf(newSecret())), SECRET, store)).status).toBe(400);
    expect(store).not.toHaveBeenCalled();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"code":"SIGNATURE_MISMATCH"'));
    warn.mockRestore();
  });

  it("fails if the event cannot be stored, so that the service sends it again", async () => {
    const store = () => Promise.reject(new Error("The database is away."));
    await expect(receive(requestOf(), SECRET, store)).rejects.toThrow("The database is away.");
  });

  it("asks the user only if the connection still needs it", async () => {
    const event = await receiveEvent(requestOf(), SECRET);
    const connectionId = event.type === "connection.reconnect_required" ? event.data.connectionId : "";
    for (const [status, times] of [
      ["CONNECTED", 0],
      ["RECONNECT_REQUIRED", 1],
    ] as const) {
      const items = [connection("another", { status: "RECONNECT_REQUIRED" }), connection(connectionId, { status })];
      const { social } = fakeClient({ connections: { items, pageInfo: { endCursor: null, hasNextPage: false } } });
      const subjectOf = (externalSubjectId: string) => social.forSubject({ tenantKey: "acme", externalSubjectId });
      const askToReconnect = vi.fn(async () => undefined);
      await handle(event, subjectOf, askToReconnect);
      expect(askToReconnect.mock.calls).toEqual(Array(times).fill(["user-42"]));
    }
  });
});
