/** An import, by the paths of both files. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

/**
 * The shortest cycle through each folder that has one, with the imports that form it. Dependency-cruiser's folder rule
 * counts subfolders as part of a folder, so it misses a cycle between a folder and its parent.
 */
export function findFolderCycles(imports: readonly FileImport[]): FileImport[][] {
  const between = imports.filter(({ from, to }) => folderOf(from) !== folderOf(to));
  const edges = new Map<string, FileImport[]>();
  for (const one of between) edges.set(folderOf(one.from), [...(edges.get(folderOf(one.from)) ?? []), one]);
  const cycles = [...edges.keys()].sort().flatMap((start) => shortestCycle(edges, start));
  // Each of its folders finds a cycle.
  return [
    ...new Map(
      cycles.toReversed().map((cycle) => [`${cycle.map(({ from }) => folderOf(from)).sort()}`, cycle]),
    ).values(),
  ];
}

function shortestCycle(edges: ReadonlyMap<string, readonly FileImport[]>, start: string): FileImport[][] {
  const paths: FileImport[][] = [[]];
  const seen = new Set<string>();
  // Iteration includes what is added during it, so the shortest paths come first.
  for (const path of paths) {
    for (const next of edges.get(folderOf(path.at(-1)?.to ?? `${start}/`)) ?? []) {
      const folder = folderOf(next.to);
      if (folder === start) return [[...path, next]];
      if (!seen.has(folder)) paths.push([...path, next]);
      seen.add(folder);
    }
  }
  return [];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
