import type { ReactNode } from "react";
import classes from "./DescriptionList.module.css";

export type Fact = readonly [name: string, value: ReactNode];

/** What is known of one thing: a name and what it is, line by line. */
export function DescriptionList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt className={classes.name}>{name}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
