import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { CopyTextButton } from "./CopyTextButton.tsx";
import classes from "./OneTimeSecret.module.css";

interface OneTimeSecretProps {
  /** What it is, e.g. “Application key”. */
  readonly label: string;
  readonly secret: string;
  /** Name of the variable in the line for an `.env` file. */
  readonly variable: string;
  /** More lines for the same file, e.g. the URL of the API; no secrets. */
  readonly otherLines?: readonly string[];
  readonly onDone: () => void;
}

/**
 * Shows a secret once, with buttons that copy it and its `.env` line. It is stored only in this component, and cleared when
 * the user leaves the page, so that the browser's back/forward cache does not show it again.
 */
export function OneTimeSecret({ label, secret, variable, otherLines = [], onDone }: OneTimeSecretProps) {
  const [isCleared, setIsCleared] = useState(false);
  useEffect(() => {
    // Synchronously: a cached page does not render before it is restored.
    const clear = () => flushSync(() => setIsCleared(true));
    window.addEventListener("pagehide", clear);
    return () => window.removeEventListener("pagehide", clear);
  }, []);
  if (isCleared) return <Text>The key was already shown. If you did not save it, revoke it and create a new key.</Text>;
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
        Copy the key now. It will not be shown again.
      </Alert>
      <Copyable label={label} text={secret} />
      <Copyable
        label={otherLines.length === 0 ? "Line for an .env file" : "Lines for an .env file"}
        text={[`${variable}=${secret}`, ...otherLines].join("\n")}
      />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have saved it</Button>
      </Group>
    </Stack>
  );
}

function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyTextButton label={label} text={text} />
      </Group>
      <Code block className={classes.text} translate="no">
        {text}
      </Code>
    </div>
  );
}
