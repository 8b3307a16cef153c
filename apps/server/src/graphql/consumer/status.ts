import type { Readiness } from "../../modules/registrations/readRegistrations.ts";
import { readReadiness } from "../../modules/registrations/readRegistrations.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";

const ApiStatus = builder.objectRef<{ readonly ok: boolean; readonly message: string }>("ApiStatus").implement({
  fields: (t) => ({ ok: t.exposeBoolean("ok"), message: t.exposeString("message") }),
});

const ProviderReadiness = builder.objectRef<Readiness["providers"][number]>("ProviderReadiness").implement({
  fields: (t) => ({
    provider: t.exposeString("provider"),
    available: t.exposeBoolean("available", {
      description: "The configuration allows an attempt. It does not promise that a consent succeeds.",
    }),
  }),
});

const IntegrationReadiness = builder.objectRef<Readiness>("IntegrationReadiness").implement({
  fields: (t) => ({
    providers: t.field({ type: [ProviderReadiness], resolve: ({ providers }) => [...providers] }),
    idpIdentityAvailable: t.exposeBoolean("idpIdentityAvailable"),
  }),
});

builder.queryFields((t) => ({
  status: t.field({
    type: ApiStatus,
    description: "Tells that the service answers. The only operation without a key.",
    resolve: () => ({ ok: true, message: "Social Connect is up." }),
  }),
  integrationReadiness: t.field({
    type: IntegrationReadiness,
    description: "Which actions the application can offer its users now.",
    resolve: (_root, _args, context) => readReadiness(context.service, callerOf(context)),
  }),
}));
