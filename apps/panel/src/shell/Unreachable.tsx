import { Button, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { refreshSession } from "../session/session.ts";
import classes from "./SignIn.module.css";

/** Shown if the service does not respond. */
export function Unreachable() {
  const [isRetrying, setIsRetrying] = useState(false);
  useEffect(() => {
    document.title = "Service unavailable · Social Connect admin";
  }, []);
  const retry = async () => {
    setIsRetrying(true);
    await refreshSession();
    setIsRetrying(false);
  };
  return (
    <main className={classes.place}>
      <div className={classes.card}>
        <Title order={1} size="h3">
          The service is unavailable
        </Title>
        <Text c="dimmed" my="md">
          It may be starting, or you may be offline.
        </Text>
        <Button loading={isRetrying} onClick={() => void retry()}>
          Try again
        </Button>
      </div>
    </main>
  );
}
