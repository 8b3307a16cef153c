import { useState } from "react";
import type { MintApiKeyMutation } from "../../_generated/apiKeys.ts";
import type { Success } from "../../api/result.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { MintApiKeyForm } from "./MintApiKeyForm.tsx";
import { MintedKey } from "./MintedKey.tsx";

type Minted = Success<MintApiKeyMutation["result"]>;

/** The form, then the minted key. The key is only stored in this component's state, so leaving the page discards it. */
export function MintApiKeyPage() {
  const [minted, setMinted] = useState<Minted | null>(null);
  return (
    <>
      <PageHeader
        title={minted === null ? "Mint a key" : "Your new key"}
        breadcrumbs={[{ to: "/api-keys", label: "API keys" }]}
        description={
          minted === null
            ? "The key acts as you: its changes appear in the audit log, and it is revoked when you are removed as an admin."
            : undefined
        }
      />
      <Section title={minted === null ? "Key details" : minted.apiKey.label}>
        {minted === null ? <MintApiKeyForm onMinted={setMinted} /> : <MintedKey minted={minted} />}
      </Section>
    </>
  );
}
