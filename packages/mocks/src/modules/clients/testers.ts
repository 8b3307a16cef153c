import type { SocialProvider } from "@social-connect/contract";
import type { AuditText } from "@social-connect/domain";
import { AUDITED, checkText } from "@social-connect/domain";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { ConflictError, enforceInput, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/audit.ts";
import { lockClient, readClient } from "./changeClient.ts";

export interface TesterAccount {
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

const ACCOUNT_ID = { maxLength: 256 };

/** Lets an account connect in sandbox mode. With the first one, a client that let everybody in lets in those on its list. */
export function addTester(world: World, actor: AdminActor, clientId: string, account: TesterAccount): TesterAccount {
  enforceInput("providerAccountId", checkText(account.providerAccountId, "providerAccountId", ACCOUNT_ID));
  const client = lockClient(world, clientId);
  const testers = client.testers === "everyone" ? [] : client.testers;
  if (testers.some(isSame(account))) throw new ConflictError("ALREADY_PRESENT", "This account is a tester already.");
  client.testers = [...testers, { ...account }];
  note(world, actor, client, AUDITED.testerAdded(account.provider));
  return account;
}

/** What the account has connected stays; it cannot connect anew. */
export function removeTester(world: World, actor: AdminActor, clientId: string, account: TesterAccount): TesterAccount {
  enforceInput("providerAccountId", checkText(account.providerAccountId, "providerAccountId", ACCOUNT_ID));
  const client = lockClient(world, clientId);
  const testers = client.testers === "everyone" ? [] : client.testers;
  if (!testers.some(isSame(account))) throw new NotFoundError("The tester");
  client.testers = testers.filter((one) => !isSame(account)(one));
  note(world, actor, client, AUDITED.testerRemoved(account.provider));
  return account;
}

export function listTesters(world: World, clientId: string): TesterAccount[] {
  const { testers } = readClient(world, clientId);
  const list = testers === "everyone" ? [] : [...testers];
  const key = ({ provider, providerAccountId }: TesterAccount) => `${provider} ${providerAccountId}`;
  return list.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

function note(
  world: World,
  actor: AdminActor,
  { id, slug }: { readonly id: string; readonly slug: string },
  told: AuditText,
): void {
  recordAudit(world, { actor, ...told, target: { type: "CLIENT", id }, clientSlug: slug });
}

function isSame(account: TesterAccount) {
  return (one: TesterAccount) =>
    one.provider === account.provider && one.providerAccountId === account.providerAccountId;
}
