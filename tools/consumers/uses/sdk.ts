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
  // @ts-expect-error the type excludes providers that the contract does not have
  const wrong: Parameters<typeof user.connect>[0]["provider"] = "PROVIDER_Z";
  ensure(wrong !== undefined, "and is plain text to the program");
}
