import {
  accepted,
  decideAddTester,
  decideRemoveTester,
  decideSetTesterNote,
  type NewTester,
  type Tester,
} from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { lockClient, readClient } from "./changeClient.ts";

/** With its first tester, a client that let every account connect lets only its testers connect. */
export const addTester = testerChange(decideAddTester, (others, tester) => [...others, tester]);

export const setTesterNote = testerChange(decideSetTesterNote, (others, tester) => [...others, tester]);

export const removeTester = testerChange(decideRemoveTester, (others) => others);

function testerChange(
  decide: typeof decideAddTester,
  apply: (others: readonly NewTester[], tester: Tester) => readonly NewTester[],
) {
  return (world: World, actor: AdminActor, clientId: string, account: NewTester): Tester => {
    const client = lockClient(world, clientId);
    const testers = client === null || client.testers === "everyone" ? [] : client.testers;
    const { patch, audit } = accepted(decide({ client, testers }, account));
    recordAudit(world, actor, audit);
    const others = testers.filter(
      (one) => one.provider !== patch.provider || one.providerAccountId !== patch.providerAccountId,
    );
    readClient(world, clientId).testers = [...apply(others, patch)];
    return patch;
  };
}
