import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { CopyTextButton } from "./CopyTextButton.tsx";
import { Dialog } from "./Dialog.tsx";
import { guardSignOut } from "./leave.ts";

interface OneTimeSecretProps {
  /** What it is, e.g. “Application key”. */
  readonly label: string;
  readonly secret: string;
  /** What the texts call it. */
  readonly noun?: string;
  /** What to do if it was not saved. */
  readonly remedy?: string;
  /** Name of the variable in the line for an `.env` file. */
  readonly variable: string;
  /** More lines for the same file, e.g. the URL of the API; no secrets. */
  readonly otherLines?: readonly string[];
  /** What the lines are for, if there could be others, e.g. “tenant main”. */
  readonly linesAreFor?: string;
  readonly onDone: () => void;
}

/**
 * Shows a secret once, with buttons that copy it and its `.env` line. It is stored only in this component, and cleared when
 * the user leaves the page, so that the browser's back/forward cache does not show it again. Leaving the page or signing out
 * asks first, unless the secret was copied.
 */
export function OneTimeSecret({ label, secret, variable, otherLines = [], onDone, ...texts }: OneTimeSecretProps) {
  const { linesAreFor, noun = "key", remedy = "revoke it and create a new key" } = texts;
  const [isCleared, setIsCleared] = useState(false);
  // Not a state, because a navigation that follows immediately must see it.
  const isSaved = useRef(false);
  useEffect(() => {
    // Synchronously: a cached page does not render before it is restored.
    const clear = () => flushSync(() => setIsCleared(true));
    window.addEventListener("pagehide", clear);
    return () => window.removeEventListener("pagehide", clear);
  }, []);
  const [answerSignOut, setAnswerSignOut] = useState<((maySignOut: boolean) => void) | null>(null);
  useEffect(() => {
    return guardSignOut(() => isSaved.current || new Promise((resolve) => setAnswerSignOut(() => resolve)));
  }, []);
  const blocker = useBlocker({
    shouldBlockFn: () => !isSaved.current,
    enableBeforeUnload: () => !isSaved.current,
    withResolver: true,
  });
  if (isCleared)
    return (
      <Text>
        The {noun} was already shown. If you did not save it, {remedy}.
      </Text>
    );
  const markSaved = () => {
    isSaved.current = true;
  };
  const answer = (mayLeave: boolean) => {
    if (mayLeave) blocker.proceed?.();
    else blocker.reset?.();
    answerSignOut?.(mayLeave);
    setAnswerSignOut(null);
  };
  return (
    <Stack
      gap="md"
      onCopy={() => {
        if (window.getSelection()?.toString().includes(secret)) markSaved();
      }}
    >
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
        Copy the {noun} now. It will not be shown again.
      </Alert>
      <Copyable label={label} text={secret} onCopied={markSaved} />
      <Copyable
        label={[
          otherLines.length === 0 ? "Line for an .env file" : "Lines for an .env file",
          ...(linesAreFor === undefined ? [] : [linesAreFor]),
        ].join(", ")}
        text={[`${variable}=${secret}`, ...otherLines].join("\n")}
        onCopied={markSaved}
      />
      <Group justify="flex-end">
        <Button
          onClick={() => {
            markSaved();
            onDone();
          }}
        >
          I have saved it
        </Button>
      </Group>
      <LeaveDialog
        noun={noun}
        remedy={remedy}
        isOpen={blocker.status === "blocked" || answerSignOut !== null}
        onStay={() => answer(false)}
        onLeave={() => answer(true)}
      />
    </Stack>
  );
}

interface LeaveDialogProps {
  readonly noun: string;
  readonly remedy: string;
  readonly isOpen: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function LeaveDialog({ noun, remedy, isOpen, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onStay} title={`Leave without saving the ${noun}?`}>
      <Text>
        The {noun} was not copied. It cannot be shown again: you would have to {remedy}.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onStay} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={onLeave}>
          Leave
        </Button>
      </Group>
    </Dialog>
  );
}

const SECRET_STYLE = { whiteSpace: "pre-wrap", overflowWrap: "anywhere", userSelect: "all" } as const;

interface CopyableProps {
  readonly label: string;
  readonly text: string;
  readonly onCopied: () => void;
}

function Copyable({ label, text, onCopied }: CopyableProps) {
  return (
    <div>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyTextButton label={label} text={text} onCopied={onCopied} />
      </Group>
      <Code block translate="no" fz="0.85rem" p="10px 12px" bdrs="md" bg="var(--panel-sunken)" style={SECRET_STYLE}>
        {text}
      </Code>
    </div>
  );
}
