import { addMs, RECONNECT_FORESEEN_IN, RECONNECT_NOTICE_MS } from "@social-connect/domain";
import type { World } from "../../world/world.ts";

/** Connections that will need a reconnect within a week, and when. */
export function foreseenReconnects(world: World) {
  const now = world.now();
  return [...world.state.grants.values()].flatMap(({ status, refreshTokenExpiresAt: endsAt, connectionId }) => {
    const connection = world.state.connections.get(connectionId ?? "");
    const isForeseen =
      connection !== undefined &&
      RECONNECT_FORESEEN_IN.some((one) => one === connection.status) &&
      status === "ACTIVE" &&
      endsAt !== null &&
      endsAt > now &&
      endsAt <= addMs(now, RECONNECT_NOTICE_MS);
    return isForeseen ? [{ connection, endsAt }] : [];
  });
}
