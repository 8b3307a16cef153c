import { ActionIcon, Code, CopyButton, Group } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface CopyIdProps {
  readonly id: string;
  /** What has the id, for screen readers, e.g. “client”. */
  readonly of: string;
  /** The part that is shown; the whole id is copied. */
  readonly shown?: string;
}

export function CopyId({ id, of, shown = id }: CopyIdProps) {
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap" maw="100%">
      <Code title={id} translate="no" style={{ overflowWrap: "anywhere" }}>
        {shown}
      </Code>
      <CopyButton value={id} timeout={3_000}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="sm"
            aria-label={copied ? `Copied the id of the ${of}` : `Copy the id of the ${of}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} stroke={1.7} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
