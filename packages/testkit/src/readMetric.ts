/** The sum of a metric's samples with these labels, at the address of a process for metrics and probes. */
export async function readMetric(
  { operations }: { readonly operations: string },
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const text = await (await fetch(`${operations}/metrics`)).text();
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const isSample = (line: string) => line.startsWith(`${name}{`) || line.startsWith(`${name} `);
  const samples = text.split("\n").filter((line) => isSample(line) && wanted.every((label) => line.includes(label)));
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
