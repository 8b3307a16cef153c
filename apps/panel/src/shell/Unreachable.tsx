import { Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { checkConnection, onReconnect, useConnection } from "../connection/connection.ts";
import { refreshSession } from "../session/session.ts";
import { ActionButton } from "../ui/ActionButton.tsx";
import { CenteredCard } from "./CenteredCard.tsx";

/** Shown if the service did not respond when the panel started. Continues when it responds. */
export function Unreachable() {
  const [isRetrying, setIsRetrying] = useState(false);
  const isOffline = useConnection() === "offline";
  const title = isOffline ? "You are offline" : "The service is unavailable";
  useEffect(() => {
    const end = onReconnect(() => void refreshSession());
    // The service may respond again before this page is shown.
    void checkConnection().then((connection) => {
      if (connection === "connected") void refreshSession();
    });
    return end;
  }, []);
  const retry = async () => {
    setIsRetrying(true);
    await refreshSession();
    setIsRetrying(false);
  };
  return (
    <CenteredCard title={title} role="status">
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text c="dimmed" my="md">
        {isOffline
          ? "The panel continues when the connection returns."
          : "It may be starting. The panel continues when it responds."}
      </Text>
      <ActionButton isBusy={isRetrying} onClick={() => void retry()}>
        Try again
      </ActionButton>
    </CenteredCard>
  );
}
