import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { MintApiKeyMutation } from "../../_generated/apiKeys.ts";
import type { Success } from "../../api/result.ts";
import { formatDay, formatExactTime } from "../../ui/dates.ts";
import { Loaded } from "../../ui/Loaded.tsx";
import { SCOPE_NAMES } from "../../ui/labels.ts";
import { OneTimeSecret } from "../../ui/OneTimeSecret.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { MintApiKeyForm } from "./MintApiKeyForm.tsx";
import { apiKeyDeployment, apiKeyDetail } from "./queries.ts";

const route = getRouteApi("/api-keys/new");

type Minted = Success<MintApiKeyMutation["result"]>;

/** The form, then the minted key. The key is only stored in this component's state, so leaving the page discards it. */
export function MintApiKeyPage() {
  const { replaces } = route.useSearch();
  const [minted, setMinted] = useState<Minted | null>(null);
  const title = replaces === undefined ? "Mint a key" : "Rotate a key";
  return (
    <>
      <PageHeader
        title={minted === null ? title : "Your new key"}
        breadcrumbs={[{ to: "/api-keys", label: "API keys" }]}
        description={
          minted === null
            ? "The key acts as you: its changes appear in the audit log, and it is revoked when you are removed as an admin."
            : undefined
        }
      />
      <Section title={minted === null ? "Key details" : minted.apiKey.label}>
        {minted !== null && <MintedKey minted={minted} replaces={replaces ?? null} />}
        {minted === null && replaces === undefined && <MintApiKeyForm replaced={null} onMinted={setMinted} />}
        {minted === null && replaces !== undefined && <ReplacementForm id={replaces} onMinted={setMinted} />}
      </Section>
    </>
  );
}

/** The form for a key with the label and scope of another. */
function ReplacementForm({ id, onMinted }: { readonly id: string; readonly onMinted: (minted: Minted) => void }) {
  const query = useQuery(apiKeyDetail(id));
  return <Loaded query={query}>{({ apiKey }) => <MintApiKeyForm replaced={apiKey} onMinted={onMinted} />}</Loaded>;
}

interface MintedKeyProps {
  readonly minted: Minted;
  /** The id of the key that it replaces, whose page shows the rest of the rotation. */
  readonly replaces: string | null;
}

function MintedKey({ minted, replaces }: MintedKeyProps) {
  const navigate = useNavigate();
  const deployment = useQuery(apiKeyDeployment).data;
  const { scope, expiresAt } = minted.apiKey;
  return (
    <>
      <Text mb="md">
        {SCOPE_NAMES[scope]}. Expires on{" "}
        <time dateTime={expiresAt} title={formatExactTime(new Date(expiresAt))}>
          {formatDay(new Date(expiresAt))}
        </time>
        .
      </Text>
      <OneTimeSecret
        label="Admin key"
        secret={minted.key}
        variable="SOCIAL_CONNECT_ADMIN_KEY"
        {...(deployment === undefined ? {} : { otherLines: [`SOCIAL_CONNECT_ADMIN_HOST=${deployment.adminHost}`] })}
        // Replaces this page in the history, so that Back skips it.
        onDone={() =>
          void (replaces === null
            ? navigate({ to: "/api-keys", replace: true })
            : navigate({ to: "/api-keys/$keyId", params: { keyId: replaces }, replace: true }))
        }
      />
    </>
  );
}
