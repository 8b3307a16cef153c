import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { MintApiKeyMutation } from "../../_generated/apiKeys.ts";
import type { Success } from "../../api/result.ts";
import { SCOPE_NAMES } from "../../ui/labels.ts";
import { OneTimeSecret } from "../../ui/OneTimeSecret.tsx";
import { apiKeyDeployment } from "./queries.ts";

const DATE = new Intl.DateTimeFormat("en", { dateStyle: "long" });

interface MintedKeyProps {
  readonly minted: Success<MintApiKeyMutation["result"]>;
  /** The id of the key that it replaces, whose page shows the rest of the rotation. */
  readonly replaces: string | null;
}

export function MintedKey({ minted, replaces }: MintedKeyProps) {
  const navigate = useNavigate();
  const deployment = useQuery(apiKeyDeployment).data;
  const { scope, expiresAt } = minted.apiKey;
  return (
    <>
      <Text mb="md">
        {SCOPE_NAMES[scope]}. Expires on <time dateTime={expiresAt}>{DATE.format(new Date(expiresAt))}</time>.
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
