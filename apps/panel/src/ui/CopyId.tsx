import { ActionIcon, Code, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./CopyId.module.css";

interface CopyIdProps {
  readonly id: string;
  /** What has the id, for screen readers, e.g. “client”. */
  readonly of: string;
  /** The part that is shown; the whole id is copied. */
  readonly shown?: string;
}

/** An id with a button that copies it. */
export function CopyId({ id, of, shown = id }: CopyIdProps) {
  return (
    <span className={classes.line}>
      <Code title={id} translate="no" className={classes.id}>
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
    </span>
  );
}
