import { Alert, Button, Code, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Failure, FailureCode } from "../api/failure.ts";

interface FailureNoteProps {
  readonly failure: Failure;
  readonly onRetry?: () => void;
  readonly retryLabel?: string;
}

/** A retry of the same request fails in the same way. */
const REPEATED: readonly FailureCode[] = ["BAD_USER_INPUT", "NOT_FOUND"];

/** Shows a failure, a retry button if a retry can help, and the correlation id for support. */
export function FailureNote({ failure, onRetry, retryLabel = "Try again" }: FailureNoteProps) {
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">{failure.message}</Text>
      {failure.problems.length > 0 && (
        <Text size="sm" component="ul" mt={6} pl={18}>
          {failure.problems.map(({ address, problem }) => (
            <li key={address}>
              <strong>{address}</strong>: {problem}
            </li>
          ))}
        </Text>
      )}
      {failure.correlationId !== null && failure.code === "UPSTREAM_UNAVAILABLE" && (
        <Text size="xs" mt={8} c="dimmed">
          Correlation id: <Code>{failure.correlationId}</Code>
        </Text>
      )}
      {onRetry !== undefined && !REPEATED.includes(failure.code) && (
        <Button variant="default" size="xs" mt="sm" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </Alert>
  );
}
