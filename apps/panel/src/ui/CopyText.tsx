import { Button, Code, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./CopyText.module.css";

interface CopyTextProps {
  /** What it is, for who cannot see where the button stands. */
  readonly label: string;
  readonly text: string;
}

/** A text that has to be written down elsewhere, exactly: with a button that copies it. */
export function CopyText({ label, text }: CopyTextProps) {
  return (
    <div className={classes.line}>
      <Code className={classes.text} translate="no">
        {text}
      </Code>
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
    </div>
  );
}
