import { inputSchema } from "@social-connect/domain";
import { addAdmin, listAdmins, removeAdmin } from "../../modules/admins/admins.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { CONFIRMED_ERRORS } from "./panelErrors.ts";

const AdminMember = builder.prismaObject("AdminMember", {
  name: "AdminMember",
  description: "An admin of the service.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id of the admin, a UUID." }),
    email: t.exposeString("email", { description: "The email address that the admin signs in with." }),
    bound: t.boolean({
      description: "Whether the admin has signed in, which binds the entry to one account at the identity provider.",
      resolve: ({ subject }) => subject !== null,
    }),
    addedAt: t.expose("addedAt", { description: "When the admin was added.", type: "DateTime" }),
    addedBy: t.exposeString("addedBy", { description: "Who added the admin: an email address, or `System`." }),
  }),
});

builder.queryField("adminMembers", (t) =>
  t.prismaField({
    type: [AdminMember],
    description: "The admins, in the order in which they were added.",
    resolve: (query, _root, _args, { service }) => listAdmins(service, query),
  }),
);

builder.mutationFields((t) => ({
  addAdminMember: t.field({
    type: AdminMember,
    description: "Adds an admin. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: { email: t.arg.string({ description: "The email address that the admin signs in with.", required: true }) },
    validate: inputSchema("addAdminMember"),
    resolve: (_root, { email }, context) => addAdmin(context.service, panelActorOf(context), email),
  }),
  removeAdminMember: t.field({
    type: AdminMember,
    description:
      "Removes an admin and immediately revokes their API keys and sessions. The last admin cannot be removed. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: { id: t.arg.id({ description: "The id of the admin.", required: true }) },
    resolve: (_root, { id }, context) => removeAdmin(context.service, panelActorOf(context), id),
  }),
}));
