import { parser } from "@prometheus-io/lezer-promql";

/** Names of the metrics in an expression. Throws if it is not PromQL. */
export function metricsIn(expression: string): string[] {
  const names = new Set<string>();
  parser.parse(expression).iterate({
    enter: ({ name, from, to }) => {
      if (name === "⚠") throw new Error(`Not PromQL: ${expression.slice(0, from)} >> ${expression.slice(from)}`);
      if (name === "Identifier") names.add(expression.slice(from, to));
    },
  });
  return [...names];
}
