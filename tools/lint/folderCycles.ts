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
  const edges = new Map<string, Map<string, FileImport>>();
  for (const { from, to } of imports) {
    const [source, target] = [folderOf(from), folderOf(to)];
    if (source === target) continue;
    const targets = edges.get(source) ?? new Map<string, FileImport>();
    edges.set(source, targets.set(target, targets.get(target) ?? { from, to }));
  }
  const found = new Map<string, FileImport[]>();
  for (const start of [...edges.keys()].sort()) {
    const cycle = shortestCycle(edges, start);
    if (cycle) {
      const members = cycle.map(({ from }) => folderOf(from)).sort();
      found.set(members.join(), found.get(members.join()) ?? cycle);
    }
  }
  return [...found.values()];
}

function shortestCycle(
  edges: ReadonlyMap<string, ReadonlyMap<string, FileImport>>,
  start: string,
): FileImport[] | null {
  const seen = new Set<string>();
  let paths: { readonly end: string; readonly path: FileImport[] }[] = [{ end: start, path: [] }];
  while (paths.length > 0) {
    const next: typeof paths = [];
    for (const { end, path } of paths) {
      for (const [target, fileImport] of edges.get(end) ?? []) {
        if (target === start) return [...path, fileImport];
        if (seen.has(target)) continue;
        seen.add(target);
        next.push({ end: target, path: [...path, fileImport] });
      }
    }
    paths = next;
  }
  return null;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
