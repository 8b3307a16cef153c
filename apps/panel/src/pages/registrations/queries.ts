import { queryOptions } from "@tanstack/react-query";
import {
  ProviderSetupsDocument,
  type ProviderSetupsQuery,
  RegistrationDetailDocument,
  type RegistrationDetailQuery,
} from "../../_generated/registrations.ts";
import { request } from "../../api/request.ts";

export type ProviderSetup = ProviderSetupsQuery["deployment"]["providers"][number] & {
  readonly mode: ProviderSetupsQuery["deployment"]["mode"];
};
export type RegistrationDetail = RegistrationDetailQuery["registration"];

/** The service's settings for each provider; they do not change while it runs. */
export const providerSetups = queryOptions({
  queryKey: ["deployment", "providers"],
  queryFn: async () => {
    const { mode, providers } = (await request(ProviderSetupsDocument)).deployment;
    return providers.map((provider): ProviderSetup => ({ ...provider, mode }));
  },
  staleTime: Number.POSITIVE_INFINITY,
});

export function registrationDetail(id: string) {
  return queryOptions({
    queryKey: ["registrations", "detail", id],
    queryFn: async () => (await request(RegistrationDetailDocument, { id })).registration,
  });
}

export function setupOf(setups: readonly ProviderSetup[], provider: string): ProviderSetup {
  const setup = setups.find((one) => one.provider === provider);
  if (setup === undefined) throw new Error(`The service does not support ${provider}.`);
  return setup;
}
