import { Button, Code, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./CopyText.module.css";

interface CopyTextProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly text: string;
}

/** Text with a button that copies it. */
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
