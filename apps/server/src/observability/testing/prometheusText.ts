/** A metric of a text in Prometheus' format. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

export interface Sample {
  /** With the suffix of a histogram's part. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

export type Labels = Readonly<Record<string, string>>;

export type Families = ReadonlyMap<string, Family>;

/** A comment without a keyword means nothing. */
const REMARK = /^#(?! (?:HELP|TYPE|UNIT) )/;
const COMMENT = /^# (HELP|TYPE|UNIT) ([a-zA-Z_:][\w:]*) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const HISTOGRAM_PARTS = ["_bucket", "_sum", "_count"];

/**
 * Reads Prometheus' text format and throws where Prometheus would refuse it, and at what it tolerates: a sample without a
 * type, a metric in two places, a sample twice, a bucket that falls.
 */
export function parsePrometheus(text: string): Families {
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current = "";
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  for (const line of text.split("\n").filter((each) => each !== "" && !REMARK.test(each))) {
    const [, keyword, named, rest] = COMMENT.exec(line) ?? [];
    if (keyword !== undefined && named !== undefined && rest !== undefined) {
      if (keyword === "HELP") {
        if (families.has(named)) throw new Error(`${named} is in two places.`);
        families.set(named, { help: rest, type: "", samples: [] });
        current = named;
      }
      if (named !== current) throw new Error(`A comment of ${named} is at ${current}.`);
      if (keyword === "TYPE") Object.assign(families.get(named) ?? {}, { type: rest });
      continue;
    }
    const [, name, labelText = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`Not a line of the format: ${line}`);
    const family = families.get(current);
    const parts = family?.type === "histogram" ? HISTOGRAM_PARTS.map((part) => current + part) : [current];
    if (family === undefined || family.type === "" || !parts.includes(name)) throw new Error(`${name} has no type.`);
    const key = line.slice(0, line.lastIndexOf(" "));
    if (seen.has(key)) throw new Error(`A duplicate sample: ${key}`);
    seen.add(key);
    family.samples.push({ name, labels: labelsOf(labelText), value: numberOf(value) });
  }
  for (const [name, family] of families) if (family.type === "histogram") checkBuckets(name, family);
  return families;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [matched, name, value] = LABEL.exec(rest) ?? [];
    if (matched === undefined || name === undefined || value === undefined) throw new Error(`Not labels: ${text}`);
    if (name in labels) throw new Error(`A duplicate label: ${name}.`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, each) => (each === "n" ? "\n" : each));
    rest = rest.slice(matched.length);
  }
  return labels;
}

function numberOf(text: string): number {
  const value = text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
  if (Number.isNaN(value)) throw new Error(`Not a value: ${text}`);
  return value;
}

function checkBuckets(name: string, { samples }: Family): void {
  const latest = new Map<string, number>();
  for (const { labels, value } of samples.filter((sample) => sample.name === `${name}_bucket`)) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    if (le === undefined || value < (latest.get(key) ?? 0)) throw new Error(`The buckets of ${name} fall.`);
    latest.set(key, value);
  }
}

/** The one sample with these labels; undefined without one. */
export function valueIn(families: Families, name: string, labels: Labels = {}): number | undefined {
  const found = samplesIn(families, name, labels);
  if (found.length > 1) throw new Error(`${name} has ${found.length} samples with these labels.`);
  return found[0]?.value;
}

/** The sum of the samples with these labels; 0 without one. */
export function sumIn(families: Families, name: string, labels: Labels = {}): number {
  return samplesIn(families, name, labels).reduce((sum, { value }) => sum + value, 0);
}

export function samplesIn(families: Families, name: string, labels: Labels): Sample[] {
  return [...families.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name && hasLabels(sample, labels));
}

export function hasLabels(sample: Pick<Sample, "labels">, labels: Labels): boolean {
  return Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
}
