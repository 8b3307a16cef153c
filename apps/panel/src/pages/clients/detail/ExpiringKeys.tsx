import { Alert, Code } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { keyState } from "../../../ui/keyState.ts";
import { shortKeyId } from "../../../ui/labels.ts";
import { LinkTo } from "../../../ui/links.tsx";
import { serviceTime, Timestamp } from "../../../ui/Timestamp.tsx";
import { clientCredentials } from "../shared/queries.ts";
import { useClient } from "./useClient.ts";

/** Warns about keys that expire within two weeks, with a link to their rotation. */
export function ExpiringKeys() {
  const { id } = useClient();
  const keys = useQuery(clientCredentials(id)).data ?? [];
  const expiring = keys.filter((key) => keyState(key, serviceTime()).expiresSoon);
  if (expiring.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" mb="lg" icon={<IconClockExclamation aria-hidden />}>
      {expiring.map(({ keyId, expiresAt }) => (
        <div key={keyId}>
          The key <Code translate="no">{shortKeyId(keyId)}</Code> expires <Timestamp at={expiresAt} />.
        </div>
      ))}
      <LinkTo to="/clients/$clientId/keys" params={{ clientId: id }} underline="always">
        Rotate it before then
      </LinkTo>
    </Alert>
  );
}
