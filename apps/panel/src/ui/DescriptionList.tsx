import type { ReactNode } from "react";
import classes from "./DescriptionList.module.css";

export type Fact = readonly [name: string, value: ReactNode];

/** A list of names and values that describes one record. Those without a value (null) are left out. */
export function DescriptionList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt className={classes.name}>{name}</dt>
            <dd className={classes.value}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
