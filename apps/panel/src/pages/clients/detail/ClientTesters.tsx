import { Text } from "@mantine/core";
import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ClientTestersQuery, RemoveClientTesterDocument } from "../../../_generated/clients.ts";
import { useChange } from "../../../forms/useChange.ts";
import { Loaded } from "../../../ui/Loaded.tsx";
import { PROVIDER_NAMES } from "../../../ui/labels.ts";
import { clientDeployment, clientTesters } from "../shared/queries.ts";
import { AddTesterForm } from "./AddTesterForm.tsx";
import { TesterNoteDialog } from "./TesterNoteDialog.tsx";
import { useClient } from "./useClient.ts";
import { ValuesSection } from "./ValuesSection.tsx";

type Tester = ClientTestersQuery["testers"][number];

/** The provider's name for an account's id, and its format. */
const ACCOUNT_IDS: Readonly<Record<SocialProvider, { readonly label: string; readonly description: string }>> = {
  PROVIDER_A: { label: "Channel id", description: "24 characters that start with UC; not the channel’s name." },
  PROVIDER_B: { label: "Open id", description: "The account’s id, as the provider issues it to this service." },
  PROVIDER_C: { label: "User id", description: "Digits only; not the account’s name." },
};

export function ClientTesters() {
  const { id } = useClient();
  const query = useQuery(clientTesters(id));
  const { data } = useQuery(clientDeployment);
  return (
    <>
      <Text mb="md" maw="66ch">
        {data?.deployment.mode === "LIVE"
          ? "This service runs in live mode: all users can connect, and testers have no effect."
          : "In sandbox mode only these accounts can be connected. Others are rejected after the consent."}
      </Text>
      <Loaded query={query} sections={[9, 9, 9]}>
        {(testers) =>
          SOCIAL_PROVIDERS.map((provider) => (
            <ProviderTesters
              key={provider}
              provider={provider}
              testers={testers.filter((one) => one.provider === provider)}
            />
          ))
        }
      </Loaded>
    </>
  );
}

interface ProviderTestersProps {
  readonly provider: SocialProvider;
  readonly testers: readonly Tester[];
}

function ProviderTesters({ provider, testers }: ProviderTestersProps) {
  const { id } = useClient();
  const [noting, setNoting] = useState<Tester | null>(null);
  const change = useChange(clientTesters(id).queryKey);
  return (
    <ValuesSection
      title={PROVIDER_NAMES[provider]}
      label={`Testers at ${PROVIDER_NAMES[provider]}`}
      noun="tester"
      values={testers.map(({ providerAccountId }) => providerAccountId)}
      notes={{
        of: new Map(testers.map(({ providerAccountId, note }) => [providerAccountId, note])),
        onChange: (account) => setNoting(testers.find((one) => one.providerAccountId === account) ?? null),
      }}
      empty="No testers yet."
      touching={(value) => ({ action: "REMOVE_TESTER", id, provider, value })}
      consequences={["The account cannot be connected again. Its existing connections stay.", "You can add it again."]}
      remove={(providerAccountId) =>
        change(RemoveClientTesterDocument, { id, provider, providerAccountId }, "The tester was removed.", id)
      }
    >
      <AddTesterForm provider={provider} account={ACCOUNT_IDS[provider]} />
      <TesterNoteDialog tester={noting} onClose={() => setNoting(null)} />
    </ValuesSection>
  );
}
