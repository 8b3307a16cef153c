import { Button, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { refreshSession } from "../session/session.ts";
import classes from "./SignIn.module.css";

/** The page is here, and the service behind it does not answer. */
export function Unreachable() {
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    document.title = "Not reachable · Social Connect admin";
  }, []);
  const ask = async () => {
    setIsAsking(true);
    await refreshSession();
    setIsAsking(false);
  };
  return (
    <main className={classes.place}>
      <div className={classes.card}>
        <Title order={1} size="h3">
          The service does not answer
        </Title>
        <Text c="dimmed" my="md">
          It may be starting, or your connection is away.
        </Text>
        <Button loading={isAsking} onClick={() => void ask()}>
          Try again
        </Button>
      </div>
    </main>
  );
}
