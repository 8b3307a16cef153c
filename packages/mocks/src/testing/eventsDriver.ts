import { type EventReceiver, type EventsDriver, listenForEvents } from "@social-connect/conformance";
import type { EventTypeName } from "@social-connect/contract";
import type { EventEndpointView, EventView } from "../control/eventsControl.ts";
import type { ConsumerMock } from "../mock/consumerMock.ts";
import type { Control } from "./control.ts";

/** Event endpoints by the control API; `inProcess`: with handlers of this process. */
export function eventsDriver(control: Control, inProcess: ConsumerMock | null): EventsDriver {
  const add = async (clientId: string, receive: EventReceiver, types: readonly string[]) => {
    if (inProcess !== null) {
      const selected = { types: types as readonly EventTypeName[] };
      const { id, secret } = inProcess.applicationById(clientId).events.sendTo(receive, selected);
      return { id, secret, close: async () => undefined };
    }
    const { url, close } = await listenForEvents(receive);
    const made = await control<EventEndpointView>("POST", `events/endpoints?application=${clientId}`, { url, types });
    return { ...made, close };
  };
  return {
    addEndpoint: async (clientId, receive, types = []) => {
      const { id, secret, close } = await add(clientId, receive, types);
      const path = (what = "") => `events/endpoints/${id}${what}?application=${clientId}`;
      return {
        secret,
        isEnabled: async () => (await control<EventEndpointView>("GET", path())).enabled,
        setEnabled: (enabled) => control("POST", path(enabled ? "/turn-on" : "/turn-off")),
        rotate: async () => (await control<EventEndpointView>("POST", path("/rotate"))).secret,
        sendTest: async () => (await control<EventView>("POST", path("/send-test"))).id,
        remove: async () => {
          await control("DELETE", path());
          await close();
        },
      };
    },
    list: async (clientId) => {
      const events = await control<readonly EventView[]>("GET", `events?application=${clientId}`);
      return events.map(({ id, type, timestamp, data }) => ({ id, type, occurredAt: timestamp, ...data }));
    },
    resend: async (clientId, since) => void (await control("POST", `events/resend?application=${clientId}`, { since })),
  };
}
