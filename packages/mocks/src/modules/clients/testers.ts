import { accepted, decideAddTester, decideRemoveTester, type TesterAccount } from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { lockClient, readClient } from "./changeClient.ts";

/** With its first tester, a client that let every account connect lets only its testers connect. */
export function addTester(world: World, actor: AdminActor, clientId: string, account: TesterAccount): TesterAccount {
  const tester = decideAndRecord(world, actor, clientId, account, decideAddTester);
  const client = readClient(world, clientId);
  client.testers = [...testersOf(client), tester];
  return tester;
}

export function removeTester(world: World, actor: AdminActor, clientId: string, account: TesterAccount): TesterAccount {
  const tester = decideAndRecord(world, actor, clientId, account, decideRemoveTester);
  const client = readClient(world, clientId);
  const isOther = ({ provider, providerAccountId }: TesterAccount) =>
    provider !== tester.provider || providerAccountId !== tester.providerAccountId;
  client.testers = testersOf(client).filter(isOther);
  return tester;
}

function decideAndRecord(
  world: World,
  actor: AdminActor,
  clientId: string,
  account: TesterAccount,
  decide: typeof decideAddTester,
): TesterAccount {
  const client = lockClient(world, clientId);
  const { patch, audit } = accepted(decide({ client, testers: testersOf(client) }, account));
  recordAudit(world, actor, audit);
  return patch;
}

function testersOf(client: Application | null): readonly TesterAccount[] {
  return client === null || client.testers === "everyone" ? [] : client.testers;
}
