import type { Connection, Subject } from "@social-connect/sdk";
import { Hono } from "hono";
import type { AppEnvironment, Dependencies } from "../core/context.ts";
import { homePage } from "../views/home.ts";

export function homeRoutes({ social, store }: Dependencies) {
  const routes = new Hono<AppEnvironment>();

  routes.get("/", async (c) => {
    const { user, subject } = c.get("signedIn");
    // Without a response the page shows every action as unavailable.
    const [readiness, connections] = await Promise.all([
      social.readiness().catch(() => null),
      allConnections(subject).catch(() => []),
    ]);
    const listed = new Set(connections.map(({ id }) => id));
    const disconnections = store.disconnectionsOf(user.id).filter(({ connectionId }) => !listed.has(connectionId));
    return c.html(homePage({ user, readiness, connections, disconnections }));
  });

  return routes;
}

async function allConnections(subject: Subject): Promise<readonly Connection[]> {
  const connections: Connection[] = [];
  for await (const connection of subject.connections()) connections.push(connection);
  return connections;
}
