import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../../session/session.ts";
import { ActionBar } from "../../ui/ActionBar.tsx";
import { CopyId } from "../../ui/CopyId.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { keyState } from "../../ui/keyState.ts";
import { Loaded } from "../../ui/Loaded.tsx";
import { SCOPE_NAMES } from "../../ui/labels.ts";
import { LinkButton } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { serviceTime, Timestamp } from "../../ui/Timestamp.tsx";
import { useLive } from "../../ui/useLive.ts";
import { ApiKeyRotation } from "./ApiKeyRotation.tsx";
import { apiKeyDetail } from "./queries.ts";
import { RevokeKeyDialog } from "./RevokeKeyDialog.tsx";

const route = getRouteApi("/api-keys/$keyId");

export function ApiKeyPage() {
  const { keyId } = route.useParams();
  const [isRevoking, setIsRevoking] = useState(false);
  const query = useQuery(apiKeyDetail(keyId));
  const key = query.data?.apiKey;
  const state = key && keyState(key, serviceTime());
  const isOwn = useSession()?.email === key?.createdBy;
  useLive(query);
  return (
    <>
      <PageHeader
        title={key?.label ?? "API key"}
        breadcrumbs={[{ to: "/api-keys", label: "API keys" }]}
        badge={state && <StatusBadge {...state} />}
      />
      <ActionBar about={key?.label}>
        <LinkButton to="/audit" search={{ key: keyId }} variant="default">
          View activity
        </LinkButton>
        {state?.isActive && isOwn && (
          <LinkButton to="/api-keys/new" search={{ replaces: keyId }} variant="default">
            Rotate
          </LinkButton>
        )}
        {state?.isActive && (
          <Button color="red" variant="light" onClick={() => setIsRevoking(true)}>
            Revoke
          </Button>
        )}
      </ActionBar>
      {key && state?.isActive && <ApiKeyRotation of={key} />}
      <Section title="Details">
        <Loaded query={query}>
          {({ apiKey, firstUsedAt }) => (
            <DescriptionList
              facts={[
                ["Id", <CopyId key="id" id={apiKey.id} of="key" />],
                ["Scope", SCOPE_NAMES[apiKey.scope]],
                ["Acts as", apiKey.createdBy],
                ["Minted", <Timestamp key="minted" at={apiKey.createdAt} />],
                ["First used", <Timestamp key="first" at={firstUsedAt} />],
                ["Last used", <Timestamp key="last" at={apiKey.lastUsedAt} />],
                apiKey.revokedAt === null
                  ? ["Expires", <Timestamp key="ends" at={apiKey.expiresAt} />]
                  : ["Revoked", <Timestamp key="revoked" at={apiKey.revokedAt} />],
              ]}
            />
          )}
        </Loaded>
      </Section>
      <RevokeKeyDialog value={isRevoking && key ? key : null} onClose={() => setIsRevoking(false)} />
    </>
  );
}
