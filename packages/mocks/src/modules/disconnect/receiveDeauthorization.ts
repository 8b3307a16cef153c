import { authorizationRemoved, decideDeauthorization } from "@social-connect/domain";
import type { Account } from "../../providers/accounts.ts";
import type { World } from "../../world/world.ts";
import { SYSTEM } from "../admin/actor.ts";
import { applicationOf } from "../applications/applicationOf.ts";
import { recordAudit } from "../audit/audit.ts";
import { grantOfConnection } from "../grants/grants.ts";
import { applyFollowUps } from "./applyFollowUps.ts";

/** Handles a provider's callback or webhook that a person removed the app. The account's connections lose their grants. */
export function receiveDeauthorization(world: World, { provider, accountId }: Account, removedAt: Date): void {
  for (const connection of world.state.connections.values()) {
    if (connection.provider !== provider || connection.providerAccountId !== accountId) continue;
    const facts = { connection, grant: grantOfConnection(world, connection.id) };
    const change = decideDeauthorization(facts, removedAt, world.newId(), world.now());
    if (typeof change === "string") continue;
    Object.assign(connection, change.patch);
    applyFollowUps(world, change.followUps);
    const { slug } = applicationOf(world, connection.applicationId);
    recordAudit(world, SYSTEM, authorizationRemoved({ ...connection, clientSlug: slug }));
  }
}
