import { useState } from "react";
import type { MintApiKeyMutation } from "../../_generated/apiKeys.ts";
import type { Success } from "../../api/result.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { MintApiKeyForm } from "./MintApiKeyForm.tsx";
import { MintedKey } from "./MintedKey.tsx";

type Minted = Success<MintApiKeyMutation["result"]>;

/** The form, and in its place the key, once. The key lives in this page's state alone: going on or back forgets it. */
export function MintApiKeyPage() {
  const [minted, setMinted] = useState<Minted | null>(null);
  return (
    <>
      <PageHeader
        title={minted === null ? "Mint a key" : "Your new key"}
        above={[{ to: "/api-keys", label: "API keys" }]}
        description={
          minted === null
            ? "The key acts as you: whatever it does stands in the audit log, and it dies when you are no admin any more."
            : undefined
        }
      />
      <Section title={minted === null ? "What the key is for" : minted.apiKey.label}>
        {minted === null ? <MintApiKeyForm onMinted={setMinted} /> : <MintedKey minted={minted} />}
      </Section>
    </>
  );
}
