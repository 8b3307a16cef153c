import { Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Loaded } from "../../ui/Loaded.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { NewRegistrationForm } from "./NewRegistrationForm.tsx";
import { ProviderInstructions } from "./ProviderInstructions.tsx";
import { providerSetups, setupOf } from "./queries.ts";

const route = getRouteApi("/registrations/new");

export function NewRegistrationPage() {
  const { provider } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(providerSetups);
  return (
    <>
      <PageHeader
        title="New registration"
        breadcrumbs={[{ to: "/registrations", label: "Registrations" }]}
        description="It is saved as a draft, which is not used until it is published."
      />
      <Loaded query={query} sections={[4]}>
        {(setups) => (
          <>
            <Section title="Provider">
              <Radio.Group
                aria-label="Provider"
                value={provider ?? null}
                onChange={(chosen) =>
                  void navigate({ search: { provider: chosen as keyof typeof PROVIDER_NAMES }, replace: true })
                }
              >
                <Stack gap="xs">
                  {setups.map(({ provider: value }) => (
                    <Radio key={value} value={value} label={PROVIDER_NAMES[value]} />
                  ))}
                </Stack>
              </Radio.Group>
            </Section>
            {provider !== undefined && (
              <>
                <ProviderInstructions setup={setupOf(setups, provider)} />
                <NewRegistrationForm key={provider} setup={setupOf(setups, provider)} />
              </>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
