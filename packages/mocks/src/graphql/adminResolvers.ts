import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import {
  type ActivityRange,
  type ApiKeyInput,
  AppError,
  AUDIT_ACTIONS,
  CLIENT_CHANGES,
  type ClientChangeInput,
  type ClientChangeName,
  type ConnectionListFilter,
  type CreateClientInput,
  originRules,
  PANEL_ONLY,
  type QuotaInput,
  type RegistrationInput,
  type TesterAccount,
} from "@social-connect/domain";
import { type KeyActor, requireConfirmation, type SessionActor } from "../modules/admin/actor.ts";
import type { PageRequest } from "../modules/admin/page.ts";
import { addMember, removeMember } from "../modules/admins/changeAdmins.ts";
import { listActiveKeysOf, listApiKeys, mintApiKey, readApiKey, revokeApiKey } from "../modules/api-keys/apiKeys.ts";
import { type AuditFilter, listAuditEntries, readAuditEntry } from "../modules/audit/audit.ts";
import { changeClient, createClient, readClient } from "../modules/clients/changeClient.ts";
import { issueCredential, listCredentials, revokeCredential } from "../modules/clients/credentials.ts";
import { type ClientListOrder, listClients } from "../modules/clients/listClients.ts";
import { addTester, listTesters, removeTester } from "../modules/clients/testers.ts";
import {
  countClientConnections,
  listClientsOfSdkVersion,
  readActivity,
  readOverview,
  type SdkVersionName,
} from "../modules/overview/readOverview.ts";
import { erasePerson, findPeople, suggestUsers, viewPerson } from "../modules/people/people.ts";
import {
  createRegistration,
  publishRegistration,
  readRegistration,
  setRegistrationQuota,
  stopRegistration,
  updateRegistration,
} from "../modules/registrations/changeRegistration.ts";
import {
  listRegistrations,
  providerSetup,
  readProviderAvailability,
  registrationDetail,
  registrationView,
} from "../modules/registrations/showRegistrations.ts";
import {
  findByReference,
  listAllConnections,
  type SupportScope,
  searchConnectAttempts,
  searchConnections,
} from "../modules/support/searchConnections.ts";
import {
  disconnectForUser,
  readViewedConnection,
  rescanConnection,
  retryJob,
  type SupportCall,
  viewConnection,
} from "../modules/support/supportConnection.ts";
import type { Member, Registration } from "../state/state.ts";
import type { World } from "../world/world.ts";
import type { RootResolver, RootResolvers } from "./schema.ts";

export interface AdminContext {
  readonly world: World;
  readonly actor: KeyActor | SessionActor;
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
function inPanel<Args>(
  typeName: string,
  confirmation: "NEEDED" | "NOT_NEEDED",
  run: (world: World, actor: SessionActor, args: Args) => object,
): Resolver {
  return ({ world, actor }, args, { checkArguments }) => {
    if (actor.via !== "session") throw new AppError(PANEL_ONLY);
    try {
      checkArguments();
      if (confirmation === "NEEDED") requireConfirmation(world, actor);
      return { __typename: typeName, ...run(world, actor, args as Args) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { name, message, reason = null } = error;
      return { ...error, __typename: name, message, reason, confirmUrl: `${world.settings.adminHost}/panel/confirm` };
    }
  };
}

const memberView = ({ subject, ...member }: Member) => ({ ...member, bound: subject !== null });
const change = (
  confirmation: "NEEDED" | "NOT_NEEDED",
  run: (world: World, actor: SessionActor, id: string) => Registration,
) =>
  inPanel<Id>("AdminRegistration", confirmation, (world, actor, { id }) =>
    registrationView(world, run(world, actor, id)),
  );

/** The operations of the admin API, for keys and for the panel. The operation classes are checked before. */
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
    apiKeyDetail: withArgs<Id>(({ world }, { id }) => {
      const apiKey = readApiKey(world, id);
      return { apiKey, firstUsedAt: apiKey.firstUsedAt };
    }),
    activeApiKeysOf: withArgs<{ memberId: string }>(({ world }, { memberId }) => listActiveKeysOf(world, memberId)),
    searchClients: withArgs<PageRequest & ClientListOrder & { text: string }>(
      ({ world }, { text, orderBy, descending, ...rest }) =>
        listClients(world, text, rest, { orderBy: orderBy ?? null, descending: descending ?? null }),
    ),
    clientCredentials: withArgs<Id>(({ world }, { id }) => listCredentials(world, id)),
    clientTesters: withArgs<Id>(({ world }, { id }) => listTesters(world, id)),
    clientConnections: withArgs<Id>(({ world }, { id }) => countClientConnections(world, id)),
    searchAuditEntries: withArgs<PageRequest & AuditFilter>(({ world }, { first, after, ...filter }) =>
      listAuditEntries(world, filter, { first, after }),
    ),
    auditEntry: withArgs<Id>(({ world }, { id }) => readAuditEntry(world, id)),
    auditActions: () => AUDIT_ACTIONS,
    registrationDetail: withArgs<Id>(({ world }, { id }) => registrationDetail(world, readRegistration(world, id))),
    serviceOverview: ({ world }) => readOverview(world),
    serviceActivity: withArgs<{ range: ActivityRange }>(({ world }, { range }) => readActivity(world, range)),
    // The mock counts nothing over time.
    adminSdkVersions: () => [],
    adminClientsOfSdkVersion: withArgs<PageRequest & SdkVersionName>(({ world }, { first, after, ...name }) =>
      listClientsOfSdkVersion(world, name, { first, after }),
    ),
    adminConnections: withArgs<PageRequest & ConnectionListFilter>(({ world }, { first, after, ...filter }) =>
      listAllConnections(world, filter, { first, after }),
    ),
    searchConnections: withArgs<PageRequest & SupportScope>(({ world, actor }, { first, after, ...scope }) =>
      searchConnections(world, actor, scope, { first, after }),
    ),
    searchConnectAttempts: withArgs<PageRequest & SupportScope>(({ world, actor }, { first, after, ...scope }) =>
      searchConnectAttempts(world, actor, scope, { first, after }),
    ),
    viewedConnection: ({ world, actor }, args) => readViewedConnection(world, actor, (args as Id).id),
    suggestUsers: withArgs<Parameters<typeof suggestUsers>[2]>(({ world, actor }, args) =>
      suggestUsers(world, actor, args),
    ),
    findPeople: withArgs<{ externalSubjectId: string }>(({ world, actor }, { externalSubjectId }) =>
      findPeople(world, actor, externalSubjectId),
    ),
    person: withArgs<SupportScope>(({ world, actor }, scope) => viewPerson(world, actor, scope)),
    findByReference: withArgs<Id>(({ world, actor }, { id }) => findByReference(world, actor, id)),
    deployment: ({ world }) => ({
      mode: world.settings.mode.toUpperCase(),
      baseUrl: world.settings.baseUrl,
      adminHost: world.settings.adminHost,
      providers: SOCIAL_PROVIDERS.map((provider) => providerSetup(world, provider)),
    }),
  },
  Mutation: {
    createClient: withArgs<{ input: CreateClientInput }>(({ world, actor }, { input }) =>
      createClient(world, actor, input),
    ),
    ...clientChanges(),
    setClientIdpIdentity: inPanel<Id & ClientChangeInput<"setClientIdpIdentity">>(
      "AdminClient",
      "NEEDED",
      (world, actor, { id, ...input }) => changeClient(world, actor, id, "setClientIdpIdentity", input),
    ),
    issueClientCredential: inPanel<Id & { expiresInDays?: number | null }>(
      "IssuedClientCredential",
      "NEEDED",
      (world, actor, { id, expiresInDays }) => issueCredential(world, actor, id, expiresInDays ?? null),
    ),
    revokeClientCredential: inPanel<Id & { keyId: string }>(
      "ClientCredential",
      "NOT_NEEDED",
      (world, actor, { id, keyId }) => revokeCredential(world, actor, id, keyId),
    ),
    addClientTester: inPanel<Id & TesterAccount>("ClientTester", "NOT_NEEDED", (world, actor, { id, ...account }) =>
      addTester(world, actor, id, account),
    ),
    removeClientTester: inPanel<Id & TesterAccount>("ClientTester", "NOT_NEEDED", (world, actor, { id, ...account }) =>
      removeTester(world, actor, id, account),
    ),
    mintApiKey: inPanel<ApiKeyInput>("MintedApiKey", "NEEDED", mintApiKey),
    revokeApiKey: inPanel<Id>("ApiKey", "NOT_NEEDED", (world, actor, { id }) => revokeApiKey(world, actor, id)),
    addAdminMember: inPanel<{ email: string }>("AdminMember", "NEEDED", (world, actor, { email }) =>
      memberView(addMember(world, actor, email)),
    ),
    removeAdminMember: inPanel<Id>("AdminMember", "NEEDED", (world, actor, { id }) =>
      memberView(removeMember(world, actor, id)),
    ),
    createRegistration: inPanel<{ provider: SocialProvider; input: RegistrationInput }>(
      "AdminRegistration",
      "NOT_NEEDED",
      (world, actor, { provider, input }) => registrationView(world, createRegistration(world, actor, provider, input)),
    ),
    updateRegistration: inPanel<Id & { input: RegistrationInput }>(
      "AdminRegistration",
      "NEEDED",
      (world, actor, { id, input }) => registrationView(world, updateRegistration(world, actor, id, input)),
    ),
    setRegistrationQuota: inPanel<Id & { quota?: QuotaInput | null }>(
      "AdminRegistration",
      "NEEDED",
      (world, actor, { id, quota }) => registrationView(world, setRegistrationQuota(world, actor, id, quota ?? null)),
    ),
    publishRegistration: change("NEEDED", publishRegistration),
    pauseRegistration: change("NOT_NEEDED", (world, actor, id) => stopRegistration(world, actor, id, "PAUSE")),
    disableRegistration: change("NOT_NEEDED", (world, actor, id) => stopRegistration(world, actor, id, "DISABLE")),
    viewConnection: inPanel<SupportCall>("SupportConnection", "NEEDED", viewConnection),
    rescanConnection: inPanel<SupportCall>("SupportConnection", "NEEDED", rescanConnection),
    retryJob: inPanel<SupportCall>("SupportConnection", "NEEDED", retryJob),
    disconnectForUser: inPanel<SupportCall>("SupportConnection", "NEEDED", disconnectForUser),
    erasePerson: inPanel<SupportScope & { reason: string }>("PersonErasure", "NEEDED", erasePerson),
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
