import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { allOf } from "../wire/call.ts";
import { runInPanel } from "./adminScript.ts";
import type { EventReceiver, EventsDriver, PanelDriver } from "./target.ts";

/** Event endpoints as an admin manages them, and receivers on this machine. */
export function openEvents(panel: PanelDriver): EventsDriver {
  return {
    addEndpoint: async (clientId, receive, types = []) => {
      const { url, close } = await listenForEvents(receive);
      const { endpoint, secret } = await runInPanel(panel, "addEventEndpoint", { clientId, url, types });
      const { id } = endpoint;
      return {
        secret,
        isEnabled: async () => {
          const endpoints = await runInPanel(panel, "eventEndpoints", { clientId });
          return endpoints.some((one) => one.id === id && one.enabled);
        },
        setEnabled: async (enabled) => void (await runInPanel(panel, "changeEventEndpoint", { id, enabled })),
        rotate: async () => (await runInPanel(panel, "rotateEventEndpointSecret", { id })).secret,
        sendTest: async () => (await runInPanel(panel, "sendTestEvent", { id })).id,
        remove: async () => {
          await runInPanel(panel, "removeEventEndpoint", { id });
          await close();
        },
      };
    },
    list: async (clientId) => {
      const events = await allOf((after) => runInPanel(panel, "events", { clientId, first: 50, after }));
      return events.map((event) => ({ ...event }));
    },
    resend: async (clientId, since) =>
      void (await runInPanel(panel, "resendEvents", { clientId, since: since.toISOString(), failedOnly: false })),
  };
}

/** Passes the requests to a URL on this machine to a receiver. */
export async function listenForEvents(receive: EventReceiver) {
  const server = createServer(async (request, response) => {
    const { url, method, headers } = request;
    const init = { method, headers: headers as Record<string, string>, body: await text(request) };
    const answer = await receive(new Request(`http://receiver.test${url}`, init as RequestInit));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
}
