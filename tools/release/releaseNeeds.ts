/** What a real release depends on, as found on this machine. */
export interface ReleaseFacts {
  readonly hasUncommittedChanges: boolean;
  readonly branch: string;
  /** Changesets that are not part of a version. */
  readonly pendingChangesets: readonly string[];
  /** The repository that the packages and their READMEs name. */
  readonly repository: string;
  /** Address of the git remote `origin`; null without one. */
  readonly origin: string | null;
  /** The user that the registry recognizes; null for none. */
  readonly registryUser: string | null;
  /** Whether this is a CI run that can prove where a package was built. */
  readonly canProveProvenance: boolean;
}

export interface ReleaseNeed {
  readonly what: string;
  readonly isMet: boolean;
  /** How to meet it. */
  readonly how: string;
}

export function releaseNeeds(facts: ReleaseFacts): readonly ReleaseNeed[] {
  const waiting = facts.pendingChangesets.length;
  return [
    {
      what: "a committed working tree",
      isMet: !facts.hasUncommittedChanges,
      how: "commit or put away what is changed",
    },
    {
      what: "the branch main",
      isMet: facts.branch === "main",
      how: `merge ${facts.branch} into main and release from there`,
    },
    {
      what: "version numbers that include every changeset",
      isMet: waiting === 0,
      how: `run \`pnpm release version\`, which includes ${waiting}, and commit what it writes`,
    },
    {
      what: "the repository that the packages name",
      isMet: facts.origin !== null && addressOf(facts.origin) === addressOf(facts.repository),
      how: `add ${facts.repository} as the git remote \`origin\`, or run \`pnpm release repository\` with the address of the public repository; provenance is checked against it`,
    },
    {
      what: "a registry that knows us",
      isMet: facts.registryUser !== null,
      how: "run `npm login`, or give CI a token or a trusted publisher for the scope",
    },
    {
      what: "a CI run that can prove where the packages were built",
      isMet: facts.canProveProvenance,
      how: "release from a CI with an OpenID token for the job (`id-token: write`, or the like of it)",
    },
  ];
}

/** Host and path of a repository, however a clone names it: `git@host:owner/name.git` and `https://host/owner/name`. */
function addressOf(url: string): string {
  return url
    .replace(/^(?:git\+)?(?:https?|ssh|git):\/\//, "")
    .replace(/^[^@/]*@/, "")
    .replace(":", "/")
    .replace(/(?:\.git)?\/?$/, "")
    .toLowerCase();
}
