import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { ActionBar } from "../../ui/ActionBar.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { PROVIDER_NAMES, REGISTRATION_STATES } from "../../ui/labels.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { LinesSkeleton } from "../../ui/Skeletons.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Activity } from "../activity/LazyActivity.tsx";
import { EditRegistrationForm } from "./EditRegistrationForm.tsx";
import { ProviderInstructions } from "./ProviderInstructions.tsx";
import { PublishedRegistration } from "./PublishedRegistration.tsx";
import { providerSetups, registrationDetail, setupOf } from "./queries.ts";
import { RegistrationQuota } from "./RegistrationQuota.tsx";
import { type StopKind, StopRegistrationDialog } from "./StopRegistrationDialog.tsx";

const route = getRouteApi("/registrations/$registrationId");

/** Shows a published registration read-only, and any other in a form. */
export function RegistrationPage() {
  const { registrationId } = route.useParams();
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [stopping, setStopping] = useState<StopKind | null>(null);
  const setups = useQuery(providerSetups);
  const query = useQuery(registrationDetail(registrationId));
  const registration = query.data;
  const opened = open === "pause" && registration?.status === "PUBLISHED" ? open : null;
  const closeDialog = () => {
    setStopping(null);
    if (open === "pause") void navigate({ search: {}, replace: true });
  };
  return (
    <>
      <PageHeader
        title={registration ? `Registration at ${PROVIDER_NAMES[registration.provider]}` : "Registration"}
        breadcrumbs={[{ to: "/registrations", label: "Registrations" }]}
        badge={registration && <StatusBadge {...REGISTRATION_STATES[registration.status]} />}
        description={registration ? `Client id ${registration.clientId}` : <LinesSkeleton count={1} />}
      />
      {registration?.status !== "DISABLED" && (
        <ActionBar about={registration && PROVIDER_NAMES[registration.provider]}>
          {registration?.status === "PUBLISHED" && (
            <Button variant="default" onClick={() => setStopping("pause")}>
              Pause
            </Button>
          )}
          {registration && (
            <Button variant="light" color="red" onClick={() => setStopping("disable")}>
              Disable
            </Button>
          )}
        </ActionBar>
      )}
      <Loaded query={query} sections={[3, 6, 5, 5]}>
        {(detail) => (
          <Loaded query={setups} sections={[3, 6, 5, 5]}>
            {(all) => (
              <>
                <ProviderInstructions setup={setupOf(all, detail.provider)} />
                {detail.status === "PUBLISHED" ? (
                  <PublishedRegistration registration={detail} />
                ) : (
                  <EditRegistrationForm key={detail.id} registration={detail} setup={setupOf(all, detail.provider)} />
                )}
                <RegistrationQuota
                  key={`${detail.id} quota ${open === "quota"}`}
                  registration={detail}
                  startsOpen={open === "quota"}
                />
                <Activity provider={detail.provider} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      {registration && (
        <StopRegistrationDialog registration={registration} kind={stopping ?? opened} onClose={closeDialog} />
      )}
    </>
  );
}
