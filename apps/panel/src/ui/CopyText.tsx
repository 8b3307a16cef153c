import { Code } from "@mantine/core";
import classes from "./CopyText.module.css";
import { CopyTextButton } from "./CopyTextButton.tsx";

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
      <CopyTextButton label={label} text={text} />
    </div>
  );
}
