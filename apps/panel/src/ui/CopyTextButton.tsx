import { Button, CopyButton, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

interface CopyTextButtonProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly text: string;
}

export function CopyTextButton({ label, text }: CopyTextButtonProps) {
  return (
    <CopyButton value={text} timeout={3_000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={copy}
          leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
        >
          <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
          <VisuallyHidden component="span"> {label}</VisuallyHidden>
        </Button>
      )}
    </CopyButton>
  );
}
