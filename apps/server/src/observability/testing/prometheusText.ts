export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** With the suffix of a histogram's part. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A comment without a keyword means nothing. */
const REMARK = /^#(?! (?:HELP|TYPE|UNIT) )/;
const COMMENT = /^# (HELP|TYPE|UNIT) ([a-zA-Z_:][\w:]*) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\["\\n])*"(?:,|(?=\})))*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const HISTOGRAM_PARTS = ["_bucket", "_sum", "_count"];

/**
 * Reads Prometheus' text format and throws where Prometheus would refuse it, and at what it tolerates: a sample without a
 * type, a metric in two places, a sample twice, a bucket that falls.
 */
export function parsePrometheus(text: string): readonly Sample[] {
  const samples = new Map<string, Sample>();
  const types = new Map<string, string>();
  const latest = new Map<string, number>();
  let current = "";
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  for (const line of text.split("\n").filter((each) => each !== "" && !REMARK.test(each))) {
    const [, keyword, named = "", rest = ""] = COMMENT.exec(line) ?? [];
    if (keyword === "HELP") {
      if (types.has(named)) throw new Error(`${named} is in two places.`);
      current = named;
    }
    if (keyword !== undefined) {
      if (named !== current) throw new Error(`A comment of ${named} is at ${current}.`);
      types.set(named, keyword === "TYPE" ? rest : (types.get(named) ?? ""));
      continue;
    }
    const [, name = "", labelText = "", valueText = ""] = SAMPLE.exec(line) ?? [];
    const parts = types.get(current) === "histogram" ? HISTOGRAM_PARTS.map((part) => current + part) : [current];
    if (!types.get(current) || !parts.includes(name)) throw new Error(`Not a sample with a type: ${line}`);
    const key = line.slice(0, line.lastIndexOf(" "));
    if (samples.has(key)) throw new Error(`A duplicate sample: ${key}`);
    const pairs = [...labelText.matchAll(LABEL)].map(
      ([, label = "", quoted = ""]) => [label, unquote(quoted)] as const,
    );
    const labels = Object.fromEntries(pairs);
    if (Object.keys(labels).length < pairs.length) throw new Error(`A duplicate label: ${line}`);
    const value = Number(valueText.replace("+Inf", "Infinity"));
    if (Number.isNaN(value)) throw new Error(`Not a value: ${line}`);
    if (name === `${current}_bucket`) {
      const histogram = JSON.stringify([name, { ...labels, le: "" }]);
      if (labels["le"] === undefined || value < (latest.get(histogram) ?? 0))
        throw new Error(`A bucket falls: ${line}`);
      latest.set(histogram, value);
    }
    samples.set(key, { name, labels, value });
  }
  return [...samples.values()];
}

function unquote(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, (_, each) => (each === "n" ? "\n" : each));
}

/** The one sample with these labels; undefined without one. */
export function valueIn(samples: readonly Sample[], name: string, labels: Labels = {}): number | undefined {
  const found = samplesIn(samples, name, labels);
  if (found.length > 1) throw new Error(`${name} has ${found.length} samples with these labels.`);
  return found[0]?.value;
}

/** The sum of the samples with these labels; 0 without one. */
export function sumIn(samples: readonly Sample[], name: string, labels: Labels = {}): number {
  return samplesIn(samples, name, labels).reduce((sum, { value }) => sum + value, 0);
}

export function samplesIn(samples: readonly Sample[], name: string, labels: Labels = {}): Sample[] {
  const isWanted = (sample: Sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
  return samples.filter((sample) => sample.name === name && isWanted(sample));
}
