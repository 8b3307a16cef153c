import { Button, Code, Text } from "@mantine/core";
import { useState } from "react";
import { hasDraft } from "../../session/drafts.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { LazyPart } from "../../ui/LazyPart.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import type { RegistrationDetail } from "./queries.ts";
import { asPercent, type ClientUse, draftNameOf, PER_NAMES, usesByClient, WINDOW_NAMES } from "./quotaValues.ts";

const loadQuotaForm = async () => (await import("./QuotaForm.tsx")).QuotaForm;

interface RegistrationQuotaProps {
  readonly registration: RegistrationDetail;
  /** Whether the form is open at first. */
  readonly startsOpen: boolean;
}

/** A registration's quota, which can be changed in any status, and what its clients used of it. */
export function RegistrationQuota({ registration, startsOpen }: RegistrationQuotaProps) {
  const { id, quota, quotaOverride } = registration;
  const [isOpen, setIsOpen] = useState(() => startsOpen || hasDraft(draftNameOf(id)));
  const isDefault = Object.values(quotaOverride).every((value) => value === null);
  return (
    <>
      <Section
        title="Quota"
        description="How often the service calls the provider’s API. Each client keeps a share of a budget; unused shares are lent to the others as time passes."
        actions={
          !isOpen && (
            <Button variant="default" onClick={() => setIsOpen(true)}>
              Change quota
            </Button>
          )
        }
      >
        {isOpen ? (
          <LazyPart name="quota form" load={loadQuotaForm}>
            {(QuotaForm) => <QuotaForm registration={registration} onClose={() => setIsOpen(false)} />}
          </LazyPart>
        ) : (
          <DescriptionList
            facts={[
              ["Calls", `${quota.units.toLocaleString("en")} ${WINDOW_NAMES[quota.window]}`],
              ["A budget for", PER_NAMES[quota.per]],
              ["Reserve", `${asPercent(quota.reserve)} % for requested reads and new accounts`],
              ["Set by", isDefault ? "The provider’s default" : "An admin"],
            ]}
          />
        )}
      </Section>
      <Section title="Use of the quota">
        <QuotaUse registration={registration} />
      </Section>
    </>
  );
}

const clientPage = (id: string): string => `/clients/${id}`;

function QuotaUse({ registration: { quota, quotaUse } }: { readonly registration: RegistrationDetail }) {
  const [first] = quotaUse;
  if (quota.per === "ACCOUNT") return <Text>Each account has its own budget, which belongs to one client.</Text>;
  if (first === undefined) return <Text>No calls in the current window.</Text>;
  return (
    <>
      <DataTable
        caption="Calls of each client in the current window"
        columns={[
          {
            header: "Client",
            cell: ({ clientId, clientSlug }: ClientUse) => <LinkTo to={clientPage(clientId)}>{clientSlug}</LinkTo>,
          },
          ...(quota.per === "READ" ? [{ header: "Read", cell: ({ read }: ClientUse) => <Code>{read}</Code> }] : []),
          {
            header: "Calls",
            isNumber: true,
            sortBy: ({ used }: ClientUse) => used,
            cell: ({ used }: ClientUse) => used.toLocaleString("en"),
          },
          {
            header: "Share",
            isNumber: true,
            sortBy: ({ share }: ClientUse) => share,
            cell: ({ share }: ClientUse) => share.toLocaleString("en"),
          },
        ]}
        rows={usesByClient(quotaUse)}
        rowKey={({ key }) => key}
      />
      {quotaUse.map(({ read, used, units, keptForOthers }) => (
        <Text key={read} size="sm" c="dimmed" mt="sm">
          {read !== null && `${read}: `}
          {used.toLocaleString("en")} of {units.toLocaleString("en")} calls.
          {keptForOthers > 0 && ` ${keptForOthers.toLocaleString("en")} are the share of clients without calls.`}
        </Text>
      ))}
      <Text size="sm" c="dimmed" mt={4}>
        Resets <Timestamp at={first.endsAt} />.
      </Text>
    </>
  );
}
