/** The targets of the links and images of a Markdown text, outside of code. */
function linksIn(markdown: string): readonly string[] {
  const text = markdown.replaceAll(/^ {0,3}(`{3,}).*?^ {0,3}\1/gms, "").replaceAll(/`[^`\n]*`/g, "code");
  const inline = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  const html = [...text.matchAll(/\b(?:href|src)="([^"]+)"/g)];
  return [...inline, ...references, ...html].map(([, target = ""]) => target);
}

/** The file or folder of this repository that an absolute link names; undefined for any other link. */
export function pathInRepository(link: string, repository: string): string | undefined {
  for (const kind of ["blob", "tree", "raw"]) {
    const start = `${repository}/${kind}/main/`;
    if (link.startsWith(start)) return link.slice(start.length).replace(/[?#].*$/, "");
  }
  return undefined;
}

/** Links that a registry page cannot follow: it shows a README without the files beside it. */
export function readmeProblems(
  markdown: string,
  repository: string,
  exists: (path: string) => boolean,
): readonly string[] {
  return linksIn(markdown).flatMap((link) => {
    if (link.startsWith("#") || link.startsWith("mailto:")) return [];
    if (!/^https:\/\//.test(link)) return [`README.md links to ${link}, which a registry page cannot follow`];
    const path = pathInRepository(link, repository);
    return path === undefined || exists(path) ? [] : [`README.md links to ${path}, which is not in the repository`];
  });
}
