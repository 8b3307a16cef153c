import { Button, VisuallyHidden } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect } from "react";

interface CopyTextButtonProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly text: string;
  readonly onCopied?: () => void;
}

export function CopyTextButton({ label, text, onCopied }: CopyTextButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 3_000 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each copy
  useEffect(() => {
    if (copied) onCopied?.();
  }, [copied]);
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => copy(text)}
      leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
    >
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
      <VisuallyHidden component="span"> {label}</VisuallyHidden>
    </Button>
  );
}
