import { Alert, Button, Code, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Failure } from "../api/failure.ts";

interface FailureNoteProps {
  readonly failure: Failure;
  readonly onRetry?: () => void;
  readonly retryLabel?: string;
}

/** Shows a failure, a retry button, and the correlation id for support. */
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
      {onRetry !== undefined && (
        <Button variant="default" size="xs" mt="sm" onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </Alert>
  );
}
