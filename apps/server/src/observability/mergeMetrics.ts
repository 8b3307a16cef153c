/** A process's metrics in Prometheus' text format. */
export interface ProcessMetrics {
  /** The value of the label `process`. */
  readonly process: string;
  readonly text: string;
}

/**
 * The metrics of several processes as one text: each sample gets the label `process`, and the samples of a metric stay
 * together, below its one description.
 */
export function mergeMetrics(processes: readonly ProcessMetrics[]): string {
  const families = new Map<string, { readonly comments: string[]; readonly samples: string[] }>();
  for (const { process, text } of processes) {
    let family: { readonly comments: string[]; readonly samples: string[] } | undefined;
    let isNew = false;
    for (const line of text.split("\n")) {
      const [, name] = /^# (?:HELP|UNIT|TYPE) ([a-zA-Z_:][\w:]*) /.exec(line) ?? [];
      if (name !== undefined) {
        if (line.startsWith("# HELP")) isNew = !families.has(name);
        family = families.get(name) ?? { comments: [], samples: [] };
        families.set(name, family);
        if (isNew) family.comments.push(line);
      } else if (line !== "" && !line.startsWith("#")) {
        family?.samples.push(labeled(line, process));
      }
    }
  }
  const lines = [...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples]);
  return `${lines.join("\n")}\n`;
}

/** A name ends at its labels or at its value. */
function labeled(sample: string, process: string): string {
  const end = sample.search(/[{ ]/);
  const [name, rest] = [sample.slice(0, end), sample.slice(end)];
  const label = `process="${process}"`;
  return rest.startsWith("{") ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`;
}
