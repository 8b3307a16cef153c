import { IconCheck } from "@tabler/icons-react";
import classes from "./Progress.module.css";
import { STEPS, type StepName } from "./steps.ts";

export function Progress({ current }: { readonly current: StepName }) {
  const at = STEPS.findIndex(({ name }) => name === current);
  return (
    <ol className={classes.steps} aria-label="Steps">
      {STEPS.map(({ name, title }, index) => (
        <li
          key={name}
          className={classes.step}
          aria-current={index === at ? "step" : undefined}
          data-done={index < at || undefined}
        >
          <span className={classes.number} aria-hidden>
            {index < at ? <IconCheck size={14} stroke={2.4} /> : index + 1}
          </span>
          <span className={classes.title}>{title}</span>
        </li>
      ))}
    </ol>
  );
}
