import type { SocialProvider } from "@social-connect/contract";
import {
  type ApiKeyInput,
  AppError,
  CLIENT_CHANGES,
  type ClientChangeInput,
  type ClientChangeName,
  type CreateClientInput,
  decideSetQuota,
  decideStopRegistration,
  type NewTester,
  originRules,
  PANEL_ONLY,
  type QuotaInput,
  type RegistrationInput,
} from "@social-connect/domain";
import type { KeyActor, PanelActor } from "../modules/admin/actor.ts";
import type { PageRequest } from "../modules/admin/page.ts";
import { addMember, removeMember } from "../modules/admins/changeAdmins.ts";
import { listApiKeys, mintApiKey, revokeApiKey } from "../modules/api-keys/apiKeys.ts";
import { type AuditFilter, listAuditEntries } from "../modules/audit/audit.ts";
import { changeClient, createClient, readClient } from "../modules/clients/changeClient.ts";
import { issueCredential, listCredentials, revokeCredential } from "../modules/clients/credentials.ts";
import { listClients } from "../modules/clients/listClients.ts";
import { addTester, removeTester, setTesterNote } from "../modules/clients/testers.ts";
import {
  changeRegistration,
  createRegistration,
  publishRegistration,
  readRegistration,
  updateRegistration,
} from "../modules/registrations/changeRegistration.ts";
import {
  listRegistrations,
  readProviderAvailability,
  registrationDetail,
  registrationView,
} from "../modules/registrations/showRegistrations.ts";
import type { Member, Registration } from "../state/state.ts";
import type { World } from "../world/world.ts";
import type { RootResolver, RootResolvers } from "./schema.ts";

export interface AdminContext {
  readonly world: World;
  readonly actor: KeyActor | PanelActor;
}

type Resolver = RootResolver<AdminContext>;
type Id = { readonly id: string };

/** graphql-js validates the arguments' types before a resolver runs. */
function withArgs<Args>(run: (context: AdminContext, args: Args) => unknown): Resolver {
  return (context, args, { checkArguments }) => {
    checkArguments();
    return run(context, args as Args);
  };
}

/** A panel operation: returns its record or a typed error. */
function inPanel<Args>(typeName: string, run: (world: World, actor: PanelActor, args: Args) => object): Resolver {
  return ({ world, actor }, args, { checkArguments }) => {
    if (actor.via !== "panel") throw new AppError(PANEL_ONLY);
    try {
      checkArguments();
      return { __typename: typeName, ...run(world, actor, args as Args) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { name, message, reason = null } = error;
      return { ...error, __typename: name, message, reason };
    }
  };
}

function changeOfRegistration<Args>(run: (world: World, actor: PanelActor, args: Args) => Registration): Resolver {
  return inPanel<Args>("AdminRegistration", (world, ...call) => registrationView(world, run(world, ...call)));
}

function changeOfTester(run: typeof addTester): Resolver {
  return inPanel<Id & NewTester>("ClientTester", (world, actor, { id, ...tester }) => run(world, actor, id, tester));
}

function stopRegistration(event: "PAUSE" | "DISABLE"): Resolver {
  return changeOfRegistration<Id>((world, actor, { id }) =>
    changeRegistration(world, actor, id, (registration) => decideStopRegistration(registration, event, world.now())),
  );
}

const memberView = (member: Member) => ({ ...member, bound: false });

/**
 * The operations of the admin API that a key can call, and those of the panel that an admin uses for keys, admins,
 * applications and registrations. The operation classes are checked before.
 */
export const adminResolvers: RootResolvers<AdminContext> = {
  Query: {
    previewTemplate: ({ world: { settings } }) => ({
      template: settings.previewOriginTemplate,
      allowsLoopbackHttp: originRules(settings.mode).allowLoopbackHttp,
    }),
    adminMembers: ({ world }) => [...world.state.members.values()].map(memberView),
    adminAuditEntries: withArgs<PageRequest & { apiKeyId?: string | null }>(({ world }, { apiKeyId, ...rest }) =>
      listAuditEntries(world, { apiKeyId }, rest),
    ),
    adminClients: withArgs<PageRequest>(({ world }, args) => listClients(world, null, args)),
    adminClient: withArgs<Id>(({ world }, { id }) => readClient(world, id)),
    adminProviderAvailability: ({ world }) => readProviderAvailability(world),
    adminRegistrations: ({ world }) => listRegistrations(world),
    apiKeys: withArgs<PageRequest>(({ world }, args) => listApiKeys(world, args)),
    searchClients: withArgs<PageRequest & { text: string }>(({ world }, args) => listClients(world, args.text, args)),
    clientCredentials: withArgs<Id>(({ world }, { id }) => listCredentials(world, id)),
    searchAuditEntries: withArgs<PageRequest & AuditFilter>(({ world }, { first, after, ...filter }) =>
      listAuditEntries(world, filter, { first, after }),
    ),
    registrationDetail: withArgs<Id>(({ world }, { id }) => registrationDetail(world, readRegistration(world, id))),
  },
  Mutation: {
    createClient: withArgs<{ input: CreateClientInput }>(({ world, actor }, { input }) =>
      createClient(world, actor, input),
    ),
    ...clientChanges(),
    setClientIdpIdentity: inPanel<Id & ClientChangeInput<"setClientIdpIdentity">>(
      "AdminClient",
      (world, actor, { id, ...input }) => changeClient(world, actor, id, "setClientIdpIdentity", input),
    ),
    issueClientCredential: inPanel<Id & { expiresInDays?: number | null }>(
      "IssuedClientCredential",
      (world, actor, { id, expiresInDays }) => issueCredential(world, actor, id, expiresInDays ?? null),
    ),
    revokeClientCredential: inPanel<Id & { keyId: string }>("ClientCredential", (world, actor, { id, keyId }) =>
      revokeCredential(world, actor, id, keyId),
    ),
    addClientTester: changeOfTester(addTester),
    setClientTesterNote: changeOfTester(setTesterNote),
    removeClientTester: changeOfTester(removeTester),
    mintApiKey: inPanel<ApiKeyInput>("MintedApiKey", mintApiKey),
    revokeApiKey: inPanel<Id>("ApiKey", (world, actor, { id }) => revokeApiKey(world, actor, id)),
    addAdminMember: inPanel<{ email: string }>("AdminMember", (world, actor, { email }) =>
      memberView(addMember(world, actor, email)),
    ),
    removeAdminMember: inPanel<Id>("AdminMember", (world, actor, { id }) => memberView(removeMember(world, actor, id))),
    createRegistration: changeOfRegistration<{ provider: SocialProvider; input: RegistrationInput }>(
      (world, actor, { provider, input }) => createRegistration(world, actor, provider, input),
    ),
    updateRegistration: changeOfRegistration<Id & { input: RegistrationInput }>((world, actor, { id, input }) =>
      updateRegistration(world, actor, id, input),
    ),
    setRegistrationQuota: changeOfRegistration<Id & { quota?: QuotaInput | null }>((world, actor, { id, quota }) =>
      changeRegistration(world, actor, id, (registration) => decideSetQuota(registration, quota ?? null)),
    ),
    publishRegistration: changeOfRegistration<Id>((world, actor, { id }) => publishRegistration(world, actor, id)),
    pauseRegistration: stopRegistration("PAUSE"),
    disableRegistration: stopRegistration("DISABLE"),
  },
};

function clientChanges(): Record<string, Resolver> {
  const names = Object.keys(CLIENT_CHANGES) as ClientChangeName[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      withArgs<Id & ClientChangeInput<typeof name>>(({ world, actor }, { id, ...input }) =>
        changeClient(world, actor, id, name, input as never),
      ),
    ]),
  );
}
