import {
  type Connection,
  type ConnectSession,
  type Hooks,
  launchPage,
  NotFoundError,
  type SavedPoller,
  Secret,
  SocialConnect,
  SocialConnectError,
} from "@social-connect/sdk";
import { EventError, type ReceivedEvent, receiveEvent } from "@social-connect/sdk/events";
import { withOpenTelemetry } from "@social-connect/sdk/opentelemetry";
import { ensure, type Service } from "./service.ts";

export async function use({ url, applicationKey }: Service): Promise<void> {
  const seen: string[] = [];
  const hooks: Hooks = { onRequest: ({ operation }) => void seen.push(operation) };
  const social = new SocialConnect(withOpenTelemetry({ baseUrl: url, key: applicationKey, hooks }));
  const { providers } = await social.readiness();
  ensure(providers.length === 3, "readiness names three providers");

  const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });
  const session: ConnectSession = await user.connect({
    provider: "PROVIDER_A",
    capabilities: ["PROFILE", "CONTENT_LIST"],
    returnUrl: "https://app.example.com/return",
  });
  ensure(session.launchToken instanceof Secret, "a launch token is a secret");
  ensure(!JSON.stringify(session).includes(session.launchToken.reveal()), "a secret does not print");
  ensure(launchPage(session).html.includes("<form"), "the launch page is a form");

  const consent = { method: "POST", body: JSON.stringify({ account: "channel-1" }) };
  ensure((await fetch(`${url}/__mock/connect/${session.id}/complete`, consent)).ok, "the user consents");
  const saved: SavedPoller<"connect-result"> = JSON.parse(JSON.stringify(user.connectResult(session.id)));
  const result = await social.resume(saved).wait();
  // The terminal type is narrowed: a completed attempt has its connection.
  const connectionId: string | null = result.status === "COMPLETED" ? result.connectionId : null;
  ensure(connectionId !== null, "the attempt is completed");

  const connections: Connection[] = [];
  for await (const connection of user.connections()) connections.push(connection);
  ensure(connections[0]?.id === connectionId, "the connection is listed");

  const failure: unknown = await user.connection("no-such").catch((error: unknown) => error);
  ensure(SocialConnectError.is(failure) && NotFoundError.is(failure), "a missing connection is a NotFoundError");
  ensure(failure.code === "NOT_FOUND", "with its code");
  ensure(seen.includes("integrationReadiness"), "calls hooks with each request");
  await useEvents();
  // @ts-expect-error the type excludes providers that the contract does not have
  const wrong: Parameters<typeof user.connect>[0]["provider"] = "PROVIDER_Z";
  ensure(wrong !== undefined, "and is plain text to the program");
}

async function useEvents(): Promise<void> {
  const body = JSON.stringify({ type: "test", timestamp: "2026-11-30T09:00:00.000Z", data: {} });
  const [id, timestamp] = ["0b2f6a8e-54a7-4a5c-8d55-1f7f6f3b2c10", String(Math.floor(Date.now() / 1_000))];
  const bytes = new Uint8Array(32).fill(7);
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const base64 = (value: Uint8Array) => btoa(String.fromCharCode(...value));
  const signature = `v1,${base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`;
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  const request = () => new Request("https://app.example.com/events", { method: "POST", headers, body });
  const secret = `whsec_${base64(bytes)}`;
  const event: ReceivedEvent = await receiveEvent(request(), secret);
  ensure(event.type === "test" && event.id === id, "an event of a Request is received");
  const again = await receiveEvent({ headers, body: new TextEncoder().encode(body) }, [
    "whsec_".padEnd(50, "A"),
    secret,
  ]);
  ensure(again.id === id, "and of bytes, with one of two secrets");
  const forged: unknown = await receiveEvent({ headers, body: `${body} ` }, secret).catch((error: unknown) => error);
  ensure(EventError.is(forged) && SocialConnectError.is(forged), "a forged event is an EventError");
  ensure(forged.code === "SIGNATURE_MISMATCH", "with its code");
  const connectionOf = (received: ReceivedEvent): string | undefined =>
    received.type === "connection.reconnect_required" ? received.data.connectionId : undefined;
  ensure(connectionOf(event) === undefined, "the type decides the data");
}
