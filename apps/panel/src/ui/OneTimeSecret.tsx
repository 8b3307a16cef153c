import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import classes from "./OneTimeSecret.module.css";

interface SecretOnceProps {
  /** What it is, e.g. “Application key”. */
  readonly label: string;
  readonly secret: string;
  /** Name of the variable in the line for an `.env` file. */
  readonly variable: string;
  /** More lines for the same file, e.g. the address where the secret is good; no secrets. */
  readonly otherLines?: readonly string[];
  readonly onDone: () => void;
}

/**
 * A secret, the only time that it is there: with buttons to copy it and its `.env` line. It is kept nowhere but in this
 * part of the page, so it is gone with it; also when the page is put away and brought back by Back.
 */
export function OneTimeSecret({ label, secret, variable, otherLines = [], onDone }: SecretOnceProps) {
  const [isGone, setIsGone] = useState(false);
  useEffect(() => {
    // At once: a page that is put away draws nothing any more before it is back.
    const forget = () => flushSync(() => setIsGone(true));
    window.addEventListener("pagehide", forget);
    return () => window.removeEventListener("pagehide", forget);
  }, []);
  if (isGone) return <Text>The key was shown before. If nobody kept it, revoke it and issue another one.</Text>;
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
        Copy it now: it is shown this once, and nobody can bring it back.
      </Alert>
      <Copyable label={label} text={secret} />
      <Copyable
        label={otherLines.length === 0 ? "Line for an .env file" : "Lines for an .env file"}
        text={[`${variable}=${secret}`, ...otherLines].join("\n")}
      />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have kept it</Button>
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
        <CopyButton value={text} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="compact-sm"
              onClick={copy}
              leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
            >
              <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
              <span className={classes.unseen}> {label}</span>
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className={classes.text} translate="no">
        {text}
      </Code>
    </div>
  );
}
