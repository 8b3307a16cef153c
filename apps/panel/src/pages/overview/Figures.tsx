import { Text } from "@mantine/core";
import type { OverviewQuery } from "../../_generated/overview.ts";
import { sum } from "../health/sum.ts";
import classes from "./Figures.module.css";

export function Figures({ overview }: { readonly overview: OverviewQuery["overview"] }) {
  const { connections, connectAttempts, jobs } = overview;
  const connected = sum(connections, ({ status }) => status === "CONNECTED");
  const completed = sum(connectAttempts, ({ status }) => status === "COMPLETED");
  const succeeded = sum(jobs, ({ status }) => status === "SUCCEEDED");
  const failed = sum(jobs, ({ status }) => status === "FAILED");
  return (
    <dl className={classes.figures}>
      <Figure name="Connected accounts" value={connected} note={`of ${text(sum(connections))} in total`} />
      <Figure
        name="Connected in the last 24 hours"
        value={completed}
        note={`of ${text(sum(connectAttempts))} attempts`}
      />
      <Figure name="Jobs succeeded in the last 24 hours" value={succeeded} note={`${text(failed)} failed`} />
    </dl>
  );
}

function Figure({ name, value, note }: { readonly name: string; readonly value: number; readonly note: string }) {
  return (
    <div className={classes.figure}>
      <dt className={classes.name}>{name}</dt>
      <dd className={classes.value}>
        {text(value)}
        <Text span size="sm" c="dimmed" className={classes.note}>
          {note}
        </Text>
      </dd>
    </div>
  );
}

function text(count: number): string {
  return count.toLocaleString("en");
}
