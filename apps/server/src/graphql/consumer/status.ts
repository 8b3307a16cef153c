import { type Readiness, readReadiness } from "../../modules/registrations/readRegistrations.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";

const ApiStatus = builder.objectRef<{ readonly ok: boolean; readonly message: string }>("ApiStatus").implement({
  description: "Whether the service is up.",
  fields: (t) => ({
    ok: t.exposeBoolean("ok", { description: "Always true." }),
    message: t.exposeString("message", { description: "A short message for people." }),
  }),
});

const ProviderReadiness = builder.objectRef<Readiness["providers"][number]>("ProviderReadiness").implement({
  description: "Whether accounts of a provider can be connected.",
  fields: (t) => ({
    provider: t.exposeString("provider", { description: "The provider." }),
    available: t.exposeBoolean("available", {
      description:
        "Whether the application's policy and the service's configuration allow a connect attempt. It does not promise that a consent succeeds. Show the action as unavailable when it is false.",
    }),
  }),
});

const IntegrationReadiness = builder.objectRef<Readiness>("IntegrationReadiness").implement({
  description: "What the application can offer its users now. A check of configuration: no provider is called.",
  fields: (t) => ({
    providers: t.field({
      description: "One entry per provider.",
      type: [ProviderReadiness],
      resolve: ({ providers }) => [...providers],
    }),
    idpIdentityAvailable: t.exposeBoolean("idpIdentityAvailable", {
      description: "Whether the application can start a sign-in at the identity provider.",
    }),
  }),
});

builder.queryFields((t) => ({
  status: t.field({
    type: ApiStatus,
    description: "Checks that the service is up. The only operation that needs no key.",
    resolve: () => ({ ok: true, message: "Social Connect is up." }),
  }),
  integrationReadiness: t.field({
    type: IntegrationReadiness,
    description: "What the application can offer its users now.",
    resolve: (_root, _args, context) => readReadiness(context.service, callerOf(context)),
  }),
}));
