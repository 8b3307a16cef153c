import { addAdmin } from "../../modules/admins/addAdmin.ts";
import { listAdmins } from "../../modules/admins/readAdmins.ts";
import { removeAdmin } from "../../modules/admins/removeAdmin.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { CONFIRMED_ERRORS } from "./panelErrors.ts";

const AdminMember = builder.prismaObject("AdminMember", {
  name: "AdminMember",
  fields: (t) => ({
    id: t.exposeID("id"),
    email: t.exposeString("email"),
    bound: t.boolean({
      description: "True once the admin has signed in, and is one account at the identity provider from then on.",
      resolve: ({ subject }) => subject !== null,
    }),
    addedAt: t.expose("addedAt", { type: "DateTime" }),
    addedBy: t.exposeString("addedBy", { description: "An admin's e-mail address, or `System`." }),
  }),
});

builder.queryField("adminMembers", (t) =>
  t.prismaField({
    type: [AdminMember],
    description: "The admins, the one who was added first at the top.",
    resolve: (query, _root, _args, { service }) => listAdmins(service, query),
  }),
);

builder.mutationFields((t) => ({
  addAdminMember: t.field({
    type: AdminMember,
    description: "Puts an e-mail address on the list of admins. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: { email: t.arg.string({ required: true }) },
    resolve: (_root, { email }, context) => addAdmin(context.service, panelActorOf(context), email),
  }),
  removeAdminMember: t.field({
    type: AdminMember,
    description:
      "Takes an admin off the list: their keys and sessions are dead at once. The last one stays. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => removeAdmin(context.service, panelActorOf(context), id),
  }),
}));
