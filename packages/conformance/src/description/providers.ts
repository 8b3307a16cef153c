/**
 * What the suite knows of each provider: its calls at the simulator, its accounts, the URLs of its posts, and how the
 * service's rules apply to it. Typed independently of the domain's traits, because cases compare the service with it.
 */
export interface ProviderFacts {
  readonly slug: string;
  /** Endpoints of the simulator by their purpose for the service. */
  readonly endpoints: Readonly<Record<"exchange" | "refresh" | "revoke" | "profile" | "list", readonly string[]>>;
  /** The consent page takes a PKCE challenge. */
  readonly takesChallenge: boolean;
  /** Parameters of every consent request, and those of one for another account, that let the user choose the account. */
  readonly accountChoice: Readonly<Record<"always" | "another", Readonly<Record<string, string>>>>;
  /** False: the user has to remove the app at the provider. */
  readonly canRevoke: boolean;
  /** Another subject's connection to the same account, after one of them was revoked. */
  readonly afterSharedRevoke: "RECONNECT_REQUIRED" | "CONNECTED";
  /** A user can grant a part of the requested scopes. */
  readonly grantsInPart: boolean;
  /** A rejected access token ends the connection only if the refresh is rejected too. */
  readonly hasRefreshToken: boolean;
  readonly ownersHideCounts: boolean;
  readonly unsupportedMetrics: readonly string[];
  /** Fields of a post that are always null. Every other nullable field is set for some posts. */
  readonly absentFields: readonly string[];
  readonly kinds: readonly string[];
  /** Forms of the posts that are published between runs, in turn. */
  readonly forms: readonly ["video" | "image", ...("image" | "carousel" | "reel")[]];
  readonly accounts: {
    /** An ordinary account, which no case may modify. */
    readonly ordinary: string;
    /**
     * An account that cases disconnect. Where one revocation ends every grant of its user, these cases run one at a time
     * and no other case uses the account.
     */
    readonly revoked: string;
    /** An account of another user than `revoked`. */
    readonly unrelated: string;
    /** An account in which cases publish and delete posts, and whose grants they end without the service's knowledge. */
    readonly changed: string;
  };
  /** Forms of one post's URL. */
  readonly postUrls: readonly [string, ...string[]];
  /** URLs of the provider that name no post. */
  readonly otherUrls: readonly string[];
}

const TOKENS = { exchange: ["token"], refresh: ["refresh"], revoke: ["revoke"] } as const;

const PROVIDER_TABLE = {
  PROVIDER_A: {
    slug: "provider-a",
    endpoints: { ...TOKENS, profile: ["channels"], list: ["playlistItems", "videos"] },
    takesChallenge: true,
    accountChoice: { always: { prompt: "consent select_account" }, another: {} },
    canRevoke: true,
    afterSharedRevoke: "RECONNECT_REQUIRED",
    grantsInPart: false,
    hasRefreshToken: true,
    ownersHideCounts: true,
    unsupportedMetrics: ["SHARES"],
    absentFields: ["thumbnailUrl"],
    kinds: ["VIDEO"],
    forms: ["video"],
    accounts: {
      ordinary: "harbor-workshop",
      revoked: "night-trains",
      unrelated: "kitchen-atlas",
      changed: "night-trains",
    },
    postUrls: [
      "https://www.youtube.com/watch?v=AAAAAAAAAAA",
      "https://youtu.be/AAAAAAAAAAA",
      "https://www.youtube.com/shorts/AAAAAAAAAAA",
      "https://www.youtube.com/live/AAAAAAAAAAA",
      "https://www.youtube.com/watch?v=AAAAAAAAAAA&t=10s",
      "https://www.youtube.com/embed/AAAAAAAAAAA",
    ],
    otherUrls: [
      "https://www.youtube.com/channel/UCxxxxxxxxxxxxxxxxxxxxxx",
      "https://www.youtube.com/watch",
      "https://www.youtube.com/watch?v=short",
      "https://www.youtube.com/@handle",
    ],
  },
  PROVIDER_B: {
    slug: "provider-b",
    endpoints: { ...TOKENS, profile: ["user-info"], list: ["video-list", "video-query"] },
    takesChallenge: true,
    accountChoice: { always: { disable_auto_auth: "1" }, another: {} },
    canRevoke: true,
    afterSharedRevoke: "CONNECTED",
    grantsInPart: true,
    hasRefreshToken: true,
    ownersHideCounts: false,
    unsupportedMetrics: [],
    absentFields: [],
    kinds: ["VIDEO"],
    forms: ["video"],
    accounts: {
      ordinary: "paper-cranes",
      revoked: "paper-cranes",
      unrelated: "street-baker",
      changed: "desert-runner",
    },
    postUrls: [
      "https://www.tiktok.com/@some.body/video/7000000000000000001",
      "https://www.tiktok.com/@some.body/video/7000000000000000001?lang=en",
      "https://www.tiktok.com/@some.body/photo/7000000000000000001",
      "https://www.tiktok.com/player/v1/7000000000000000001",
    ],
    otherUrls: [
      "https://vm.tiktok.com/ZMabcdefg/",
      "https://vt.tiktok.com/ZSabcdefg/",
      "https://www.tiktok.com/t/ZTabcdefg/",
      "https://www.tiktok.com/video/7000000000000000001",
    ],
  },
  PROVIDER_C: {
    slug: "provider-c",
    endpoints: { ...TOKENS, profile: ["me"], list: ["media", "media-item"] },
    takesChallenge: false,
    accountChoice: { always: {}, another: { force_reauth: "true" } },
    canRevoke: false,
    afterSharedRevoke: "CONNECTED",
    grantsInPart: true,
    hasRefreshToken: false,
    ownersHideCounts: true,
    unsupportedMetrics: [],
    absentFields: ["title"],
    kinds: ["VIDEO", "IMAGE", "CAROUSEL"],
    forms: ["image", "reel", "carousel"],
    accounts: {
      ordinary: "tidepool-studio",
      revoked: "tidepool-studio",
      unrelated: "linen-and-clay",
      changed: "city-swifts",
    },
    postUrls: [
      "https://www.instagram.com/p/C0nf0rmance1/",
      "https://www.instagram.com/reel/C0nf0rmance1/",
      "https://www.instagram.com/tv/C0nf0rmance1/",
      "https://www.instagram.com/p/C0nf0rmance1",
      "https://instagr.am/p/C0nf0rmance1/",
    ],
    otherUrls: [
      "https://www.instagram.com/some.body/",
      "https://www.instagram.com/p/",
      "https://www.instagram.com/stories/a/1/",
      "https://www.instagram.com/share/p/C0nf0rmance1/",
    ],
  },
} as const satisfies Readonly<Record<string, ProviderFacts>>;

export type Provider = keyof typeof PROVIDER_TABLE;
export const PROVIDER_FACTS: Readonly<Record<Provider, ProviderFacts>> = PROVIDER_TABLE;
export const ALL_CAPABILITIES = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
export const PROVIDERS = Object.keys(PROVIDER_TABLE) as readonly Provider[];
export function providersWith(fact: keyof ProviderFacts): readonly Provider[] {
  return PROVIDERS.filter((provider) => PROVIDER_FACTS[provider][fact]);
}

export const REVOKING = providersWith("canRevoke");

export function factOf<Value>(pick: (facts: ProviderFacts) => Value): Readonly<Record<Provider, Value>> {
  return Object.fromEntries(PROVIDERS.map((provider) => [provider, pick(PROVIDER_FACTS[provider])])) as Record<
    Provider,
    Value
  >;
}
