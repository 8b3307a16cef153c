export interface MergedFile {
  readonly content: string;
  /** `merged`: only adds to the existing file. `conflict`: would replace an existing file. */
  readonly state: "new" | "unchanged" | "merged" | "conflict";
  /** What the existing file has instead of what the template needs. */
  readonly note?: string;
}

interface Manifest {
  type?: string;
  [field: string]: unknown;
}

const SECTIONS = ["scripts", "dependencies", "devDependencies"] as const;

/** An existing package.json with what it lacks. Existing values stay; only another `type` is a conflict. */
export function mergePackage(present: string, wanted: string): MergedFile {
  const current = parse(present);
  const template = JSON.parse(wanted) as Manifest;
  const merged: Manifest = { ...current };
  const kept: string[] = [];
  for (const section of SECTIONS) {
    const [ours, theirs] = [sectionOf(template, section), sectionOf(current, section)];
    const missing = Object.entries(ours).filter(
      ([name]) => theirs[name] === undefined && (section === "scripts" || !isInstalled(current, name)),
    );
    if (missing.length > 0) merged[section] = { ...theirs, ...Object.fromEntries(missing) };
    if (section === "scripts")
      kept.push(...Object.keys(ours).filter((name) => ![ours[name], undefined].includes(theirs[name])));
  }
  const note =
    kept.length > 0
      ? { note: `Your package.json already has the scripts ${kept.join(", ")}; see the template's in its README.` }
      : {};
  const isConflict = template.type !== undefined && current.type !== template.type;
  if (isConflict) merged.type = template.type as string;
  const indent = /^([ \t]+)"/m.exec(present)?.[1] ?? "  ";
  const content = withLineEnds(`${JSON.stringify(merged, null, indent)}\n`, present);
  if (isConflict) {
    return { content, state: "conflict", note: `The template needs "type": "${template.type}" in package.json.` };
  }
  return { content, state: content === present ? "unchanged" : "merged", ...note };
}

/** An existing .gitignore with the lines that it lacks. */
export function mergeIgnored(present: string, wanted: string): string {
  const lines = present.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, ""));
  const missing = wanted.split("\n").filter((line) => line !== "" && !lines.includes(line));
  const separator = present === "" || present.endsWith("\n") ? "" : "\n";
  return missing.length === 0 ? present : present + withLineEnds(`${separator}${missing.join("\n")}\n`, present);
}

/** A text with the line ends of an existing one. */
function withLineEnds(text: string, present: string): string {
  return present.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function parse(text: string): Manifest {
  try {
    // Some editors write a byte order mark, which npm ignores.
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof manifest === "object" && manifest !== null && !Array.isArray(manifest)) return manifest as Manifest;
  } catch {
    // Reported below.
  }
  throw new Error("package.json is not valid JSON. Correct it, or choose another folder.");
}

function sectionOf(manifest: Manifest, section: (typeof SECTIONS)[number]): Record<string, string> {
  return (manifest[section] ?? {}) as Record<string, string>;
}

function isInstalled(manifest: Manifest, name: string): boolean {
  return (
    sectionOf(manifest, "dependencies")[name] !== undefined ||
    sectionOf(manifest, "devDependencies")[name] !== undefined
  );
}
