import { JOB_STATUSES } from "@social-connect/contract";
import { inputSchema, MOST_PEOPLE, PERSON_RECORDS, SHORTEST_ID_PART } from "@social-connect/domain";
import { touchedByErasure } from "../../modules/operations/eraseConnections.ts";
import type { ErasureReceipt } from "../../modules/operations/erasureReceipts.ts";
import { erasePerson, type PersonErasure } from "../../modules/people/erasePerson.ts";
import { type FoundPerson, findPeople, suggestUsers } from "../../modules/people/findPeople.ts";
import {
  type PersonConnection,
  type PersonRecords,
  type PersonView,
  viewPerson,
} from "../../modules/people/readPerson.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { SocialProvider } from "./enums.ts";
import { ConnectionStatus, JobStatus } from "./overview.ts";
import { CONFIRMED_ERRORS } from "./panelErrors.ts";
import { REASON, SCOPE_ARGUMENTS } from "./support.ts";
import { TouchedCount, touchedCounts } from "./touched.ts";

const PersonConnectionRef = builder.objectRef<PersonConnection>("PersonConnection").implement({
  description: "A linked account of a person. Nothing in it is a value that the provider gave.",
  fields: (t) => ({
    id: t.exposeID("id"),
    provider: t.expose("provider", { type: SocialProvider }),
    accountHint: t.exposeString("accountHint", orNull("The end of the provider's account id.")),
    status: t.expose("status", { type: ConnectionStatus }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the account was linked first." }),
    posts: t.exposeInt("posts", { description: "Stored posts." }),
    profileFields: t.stringList({
      description: "The fields of the profile that are stored, for example handle.",
      resolve: ({ profileFields }) => [...profileFields],
    }),
    profileEndsAt: t.expose("profileEndsAt", { type: "DateTime", nullable: true }),
  }),
});

const PersonRecordsRef = builder.objectRef<PersonRecords>("PersonRecords").implement({
  description: "How many rows of a table are stored about a person.",
  fields: (t) => ({
    table: t.string({ resolve: ({ table }) => table.name }),
    what: t.string({ resolve: ({ table }) => PERSON_RECORDS[table.name].what }),
    rows: t.exposeInt("rows"),
    storedUntil: t.string({ description: "The rule.", resolve: ({ table }) => PERSON_RECORDS[table.name].storedUntil }),
    endsAt: t.expose("endsAt", dateOrNull("When the last of them is deleted, if that is known.")),
    outlivesErasure: t.boolean({
      description: "Whether an erasure leaves such rows for their time: ids, codes and counts.",
      resolve: ({ table }) => PERSON_RECORDS[table.name].outlivesErasure,
    }),
  }),
});

const PersonDeletedRows = builder.objectRef<readonly [string, number]>("PersonDeletedRows").implement({
  description: "How many rows of a table were deleted.",
  fields: (t) => ({
    table: t.string({ resolve: ([table]) => table }),
    rows: t.int({ resolve: ([, rows]) => rows }),
  }),
});

const statusOf = ({ status }: ErasureReceipt["revoke" | "erase"]) => JOB_STATUSES.find((one) => one === status) ?? null;

const PersonReceipt = builder.objectRef<ErasureReceipt>("PersonReceipt").implement({
  description: "The result of a disconnect. Receipts are stored for 7 days.",
  fields: (t) => ({
    connectionId: t.exposeID("connectionId"),
    provider: t.field({
      type: SocialProvider,
      resolve: ({ provider }) => provider as typeof SocialProvider.$inferType,
    }),
    revoke: t.field({
      type: JobStatus,
      nullable: true,
      description: "How far the revocation of the consent at the provider came.",
      resolve: ({ revoke }) => statusOf(revoke),
    }),
    revokeError: t.string({
      ...orNull("Why the provider did not revoke it."),
      resolve: ({ revoke }) => revoke.errorCode,
    }),
    userMustRemoveApp: t.boolean({
      description: "The provider cannot revoke the consent: the user has to remove the app there.",
      resolve: ({ revoke }) => revoke.creatorAction === "REMOVE_APP_AT_PROVIDER",
    }),
    erase: t.field({ type: JobStatus, nullable: true, resolve: ({ erase }) => statusOf(erase) }),
    deleted: t.field({ type: [PersonDeletedRows], resolve: ({ erase }) => Object.entries(erase.deletedCounts) }),
  }),
});

const Person = builder.objectRef<PersonView>("Person").implement({
  description: "What is stored about one user of a client.",
  fields: (t) => ({
    clientId: t.id({ resolve: ({ application }) => application.id }),
    clientSlug: t.string({ resolve: ({ application }) => application.slug }),
    tenantKey: t.exposeString("tenantKey"),
    externalSubjectId: t.exposeString("externalSubjectId"),
    isStored: t.exposeBoolean("isStored", {
      description: "False: nothing, or only records of an erasure, which have ids, codes and counts.",
    }),
    connections: t.field({
      type: [PersonConnectionRef],
      description: "The newest 100 linked accounts.",
      resolve: ({ connections }) => connections,
    }),
    records: t.field({ type: [PersonRecordsRef], resolve: ({ records }) => records }),
    receipts: t.field({ type: [PersonReceipt], resolve: ({ receipts }) => receipts }),
    touchedByErasure: t.field({
      type: [TouchedCount],
      description: "What an erasure would affect. Workers erase the connections with their posts later.",
      resolve: async (person, _args, { service }) => touchedCounts(await touchedByErasure(service, person)),
    }),
  }),
});

const PersonErasureRef = builder.objectRef<PersonErasure>("PersonErasure").implement({
  description:
    "What an erasure has done so far. Workers do the rest, and the receipts of the person say how far they are.",
  fields: (t) => ({
    person: t.field({ type: Person, resolve: ({ person }) => person }),
    deleted: t.field({
      type: [PersonDeletedRows],
      description: "Rows that were deleted immediately. The receipts count the others.",
      resolve: ({ deleted }) => Object.entries(deleted),
    }),
    failed: t.exposeInt("failed", {
      description: "Accounts that could not be disconnected because they were being connected. Repeat the erasure.",
    }),
    keptTesters: t.exposeInt("keptTesters", {
      description: "Testers that stay, because another person has linked the same account.",
    }),
  }),
});

const FoundPersonRef = builder.objectRef<FoundPerson>("FoundPerson").implement({
  description: "A user of a client, by the id that the client has for it.",
  fields: (t) => ({
    clientSlug: t.exposeString("clientSlug"),
    tenantKey: t.exposeString("tenantKey"),
    externalSubjectId: t.exposeString("externalSubjectId"),
  }),
});

builder.queryFields((t) => ({
  suggestUsers: t.stringList({
    description: `The ids (externalSubjectId) of users of a client that begin with a text, at most ${MOST_PEOPLE}, in the order of their characters. The first of several calls that show some is in the audit log.`,
    args: {
      clientSlug: t.arg.string({ required: true }),
      tenantKey: t.arg.string({ description: "May be absent if the client has one tenant." }),
      startsWith: t.arg.string({ description: "How the ids begin: 1 to 256 characters.", required: true }),
    },
    validate: inputSchema("suggestUsers"),
    resolve: (_root, args, context) => suggestUsers(context.service, panelActorOf(context), args),
  }),
  findPeople: t.field({
    type: [FoundPersonRef],
    description: `The users of all clients whose id (externalSubjectId) begins with a text, at most ${MOST_PEOPLE}, exact ids first. The first of several calls that find a client's user is in the audit log.`,
    args: {
      startsWith: t.arg.string({
        description: `How the ids begin: 1 to 256 characters. Fewer than ${SHORTEST_ID_PART} find only users with exactly this id.`,
        required: true,
      }),
    },
    validate: inputSchema("findPeople"),
    resolve: (_root, { startsWith }, context) => findPeople(context.service, panelActorOf(context), startsWith),
  }),
  person: t.field({
    type: Person,
    description: "What is stored about a client's user: counts, states and times. The view is in the audit log.",
    args: SCOPE_ARGUMENTS,
    validate: inputSchema("person"),
    resolve: (_root, scope, context) => viewPerson(context.service, panelActorOf(context), scope),
  }),
}));

builder.mutationField("erasePerson", (t) =>
  t.field({
    type: PersonErasureRef,
    description:
      "Revokes and erases everything that is stored about a client's user, with receipts. Safe to repeat. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: { ...SCOPE_ARGUMENTS, reason: t.arg.string({ description: REASON, required: true }) },
    validate: inputSchema("erasePerson"),
    resolve: (_root, args, context) => erasePerson(context.service, panelActorOf(context), args),
  }),
);
