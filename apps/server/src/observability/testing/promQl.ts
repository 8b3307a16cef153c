import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

/** A sample of a scrape. */
export interface ScrapedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly atSeconds: number;
  readonly samples: readonly ScrapedSample[];
}

export interface Result {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

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

/**
 * Evaluates the part of PromQL that the alert rules use, at the time of the last scrape: selectors, `rate` and `increase`
 * over the scrapes in a window, `time`, `sum`, `min` and `max`, `histogram_quantile`, arithmetic and comparisons. Throws at
 * anything else. `rate` does not extrapolate to the window's ends.
 */
export function evaluate(expression: string, scrapes: readonly Scrape[]): readonly Result[] {
  metricsIn(expression);
  const [root] = childrenOf(parser.parse(expression).topNode);
  const last = scrapes.at(-1);
  if (root === undefined || last === undefined) throw new Error("There is nothing to evaluate.");
  const value = new Evaluation(expression, scrapes, last).value(root);
  return typeof value === "number" ? [{ labels: {}, value }] : value;
}

type Value = number | readonly Result[];

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  Add: (left, right) => left + right,
  Sub: (left, right) => left - right,
  Mul: (left, right) => left * right,
  Div: (left, right) => left / right,
};
const COMPARISONS: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  Gtr: (left, right) => left > right,
  Lss: (left, right) => left < right,
  Eql: (left, right) => left === right,
};
const AGGREGATES: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

class Evaluation {
  readonly #text: string;
  readonly #scrapes: readonly Scrape[];
  readonly #last: Scrape;

  constructor(text: string, scrapes: readonly Scrape[], last: Scrape) {
    this.#text = text;
    this.#scrapes = scrapes;
    this.#last = last;
  }

  value(node: SyntaxNode): Value {
    switch (node.name) {
      case "NumberDurationLiteral":
        return Number(this.#textOf(node));
      case "ParenExpr":
        return this.value(this.#child(node, 0));
      case "VectorSelector":
        return this.#select(node, this.#last);
      case "AggregateExpr":
        return this.#aggregate(node);
      case "FunctionCall":
        return this.#call(node);
      case "BinaryExpr":
        return this.#binary(node);
      default:
        throw new Error(`${node.name} is not supported: ${this.#textOf(node)}`);
    }
  }

  #select(node: SyntaxNode, scrape: Scrape): Result[] {
    const name = this.#textOf(this.#only(node, "Identifier"));
    const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
    return scrape.samples
      .filter((sample) => sample.name === name && matchers.every((matcher) => this.#matches(matcher, sample)))
      .map(({ labels, value }) => ({ labels, value }));
  }

  #matches(matcher: SyntaxNode, { labels }: ScrapedSample): boolean {
    const value = labels[this.#textOf(this.#only(matcher, "LabelName"))] ?? "";
    const wanted = JSON.parse(this.#textOf(this.#only(matcher, "StringLiteral"))) as string;
    const operator = this.#textOf(this.#only(matcher, "MatchOp"));
    const isEqual = operator.endsWith("~") ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted;
    return operator.startsWith("!") ? !isEqual : isEqual;
  }

  #aggregate(node: SyntaxNode): Result[] {
    const combine = AGGREGATES[this.#textOf(this.#only(node, "AggregateOp"))];
    if (combine === undefined) throw new Error(`not supported: ${this.#textOf(node)}`);
    const modifier = node.getChild("AggregateModifier");
    const by =
      modifier
        ?.getChild("GroupingLabels")
        ?.getChildren("LabelName")
        .map((label) => this.#textOf(label)) ?? [];
    const groups = new Map<string, { labels: Record<string, string>; values: number[] }>();
    for (const { labels, value } of this.#vector(this.#child(this.#only(node, "FunctionCallBody"), 0))) {
      const kept = Object.fromEntries(by.map((label) => [label, labels[label] ?? ""]));
      const group = groups.get(keyOf(kept)) ?? { labels: kept, values: [] };
      group.values.push(value);
      groups.set(keyOf(kept), group);
    }
    return [...groups.values()].map(({ labels, values }) => ({ labels, value: combine(values) }));
  }

  #call(node: SyntaxNode): Value {
    const body = this.#only(node, "FunctionCallBody");
    switch (this.#textOf(this.#only(node, "FunctionIdentifier"))) {
      case "time":
        return this.#last.atSeconds;
      case "rate":
        return this.#increases(this.#child(body, 0)).map(({ labels, value, seconds }) => ({
          labels,
          value: value / seconds,
        }));
      case "increase":
        return this.#increases(this.#child(body, 0)).map(({ labels, value }) => ({ labels, value }));
      case "histogram_quantile":
        return quantiles(Number(this.value(this.#child(body, 0))), this.#vector(this.#child(body, 1)));
      default:
        throw new Error(`not supported: ${this.#textOf(node)}`);
    }
  }

  /** How much each counter grew over the scrapes of the window; a counter that falls was started again. */
  #increases(range: SyntaxNode): (Result & { readonly seconds: number })[] {
    const [, amount = "", unit = ""] = /^(\d+)([smhd])$/.exec(this.#textOf(this.#only(range, "DurationExpr"))) ?? [];
    const start = this.#last.atSeconds - Number(amount) * (SECONDS[unit] ?? Number.NaN);
    const series = new Map<string, { labels: Result["labels"]; points: [number, number][] }>();
    for (const scrape of this.#scrapes.filter(({ atSeconds }) => atSeconds >= start)) {
      for (const { labels, value } of this.#select(this.#only(range, "VectorSelector"), scrape)) {
        const one = series.get(keyOf(labels)) ?? { labels, points: [] };
        one.points.push([scrape.atSeconds, value]);
        series.set(keyOf(labels), one);
      }
    }
    return [...series.values()].flatMap(({ labels, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      if (first === undefined || last === undefined || first === last) return [];
      const value = points.slice(1).reduce((sum, [, now], index) => {
        const before = points[index]?.[1] ?? 0;
        return sum + (now < before ? now : now - before);
      }, 0);
      return [{ labels, value, seconds: last[0] - first[0] }];
    });
  }

  #binary(node: SyntaxNode): Value {
    const [left, operator, right] = childrenOf(node);
    if (left === undefined || operator === undefined || right === undefined) throw new Error("incomplete expression");
    const [one, other] = [this.value(left), this.value(right)];
    const compare = COMPARISONS[operator.name];
    const compute = ARITHMETIC[operator.name];
    if (compare !== undefined) {
      if (typeof other !== "number") throw new Error("only comparisons with a number are supported");
      return (typeof one === "number" ? [{ labels: {}, value: one }] : one).filter(({ value }) =>
        compare(value, other),
      );
    }
    if (compute === undefined) throw new Error(`not supported: ${this.#textOf(node)}`);
    if (typeof one === "number" && typeof other === "number") return compute(one, other);
    if (typeof other === "number")
      return vectorOf(one).map(({ labels, value }) => ({ labels, value: compute(value, other) }));
    if (typeof one === "number") return other.map(({ labels, value }) => ({ labels, value: compute(one, value) }));
    const rights = new Map(other.map(({ labels, value }) => [keyOf(labels), value]));
    return one.flatMap(({ labels, value }) => {
      const match = rights.get(keyOf(labels));
      return match === undefined ? [] : [{ labels, value: compute(value, match) }];
    });
  }

  #vector(node: SyntaxNode): readonly Result[] {
    return vectorOf(this.value(node));
  }

  #only(node: SyntaxNode, name: string): SyntaxNode {
    const child = node.getChild(name);
    if (child === null) throw new Error(`${this.#textOf(node)} has no ${name}`);
    return child;
  }

  #child(node: SyntaxNode, index: number): SyntaxNode {
    const child = childrenOf(node)[index];
    if (child === undefined) throw new Error(`incomplete: ${this.#textOf(node)}`);
    return child;
  }

  #textOf({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to);
  }
}

function vectorOf(value: Value): readonly Result[] {
  if (typeof value === "number") throw new Error("a number is not a vector");
  return value;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The quantile of each histogram, interpolated within its bucket as Prometheus does. */
function quantiles(quantile: number, buckets: readonly Result[]): Result[] {
  const histograms = new Map<string, { labels: Result["labels"]; bounds: [number, number][] }>();
  for (const { labels: all, value } of buckets) {
    const { le = "", ...labels } = all;
    const histogram = histograms.get(keyOf(labels)) ?? { labels, bounds: [] };
    histogram.bounds.push([le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value]);
    histograms.set(keyOf(labels), histogram);
  }
  return [...histograms.values()].map(({ labels, bounds }) => {
    const sorted = bounds.toSorted(([one], [other]) => one - other);
    const rank = quantile * (sorted.at(-1)?.[1] ?? 0);
    const index = sorted.findIndex(([, count]) => count >= rank);
    const [upper, count] = sorted[index] ?? [Number.NaN, Number.NaN];
    const [lower, before] = sorted[index - 1] ?? [0, 0];
    if (rank === 0) return { labels, value: Number.NaN };
    if (upper === Number.POSITIVE_INFINITY) return { labels, value: lower };
    return { labels, value: lower + ((upper - lower) * (rank - before)) / (count - before) };
  });
}
