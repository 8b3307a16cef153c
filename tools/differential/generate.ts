import type { Provider, ProviderCall, ProviderFault } from "../../packages/conformance/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../packages/contract/src/index.ts";
import type { AccountScript } from "../../packages/provider-fixtures/src/index.ts";
import { ACCOUNT_SCRIPTS, PROVIDER_FIXTURES } from "../../packages/provider-fixtures/src/index.ts";
import { generateAdmin } from "./generateAdmin.ts";
import { SeededRandom } from "./random.ts";
import type { Step, StepAction, Subject } from "./steps.ts";
import { REQUEST_VARIANTS } from "./steps.ts";

/** What a sequence has created so far, as far known before it runs. */
export interface Model {
  readonly random: SeededRandom;
  readonly theme: Theme;
  readonly apps: number[];
  readonly sessions: ModelSession[];
  readonly identities: { readonly n: number; readonly app: number; readonly browser: string; stage: Stage }[];
  readonly posts: { readonly n: number; readonly provider: Provider; readonly account: string }[];
  readonly jobs: { readonly n: number; readonly session: ModelSession }[];
  readonly adminKeys: number[];
  readonly applicationKeys: { readonly n: number; readonly app: number }[];
  readonly members: { readonly n: number; readonly person: string }[];
  hasFaults: boolean;
  /** Hours that steps may still let pass: a long time costs the server much work. */
  hoursLeft: number;
}

type Stage = "created" | "launched" | "consented" | "back";

interface ModelSession {
  readonly n: number;
  readonly app: number;
  readonly who: Subject;
  readonly provider: Provider;
  readonly browser: string;
  readonly isReconnect: boolean;
  stage: Stage;
  account: string;
  isDisconnected: boolean;
}

export const PROVIDERS: readonly Provider[] = SOCIAL_PROVIDERS;
export const CAPABILITIES = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;

/** The focus of a sequence, so that combinations occur which random choice would rarely produce. */
export const THEMES = ["connect", "reads", "siblings", "admin", "identity", "mixed"] as const;
export type Theme = (typeof THEMES)[number];

const ordinaryAt = (provider: Provider) => PROVIDER_FIXTURES[provider].ordinaryAccounts.slice(0, 2);
const NOT_EVERYWHERE: readonly (keyof typeof ACCOUNT_SCRIPTS)[] = [
  "revoke-fails-twice",
  "revoke-rejected",
  "sibling-1",
  "sibling-2",
  "rotating-refresh",
  "no-channel",
  "partial-scopes",
  "no-shares",
  "flat-token",
  "comments-off",
  "hidden-likes",
];
const scriptedAt = (provider: Provider) =>
  NOT_EVERYWHERE.filter((name) => {
    const { providers }: AccountScript = ACCOUNT_SCRIPTS[name];
    return providers?.includes(provider) ?? false;
  });
const WITH_SIBLINGS = PROVIDERS.filter((provider) => scriptedAt(provider).includes("sibling-1"));
const SCRIPTED_EVERYWHERE = [
  "deny",
  "provider-error",
  "no-scopes",
  "exchange-refused",
  "exchange-5xx",
  "expired-refresh",
  "rate-limited",
  "flaky-5xx",
  "down",
  "removed-app",
  "empty",
  "not-a-tester",
  "unicode",
];
const SUBJECTS: readonly Subject[] = [
  { tenant: "one", subject: "ann" },
  { tenant: "one", subject: "bob" },
  { tenant: "two", subject: "ann" },
];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_HOURS = 24;

/** The steps that follow from a seed. The first ones make the application that the others call with. */
export function generateSequence(seed: string, length: number): Step[] {
  const random = new SeededRandom(seed);
  const model: Model = {
    random,
    theme: random.pick(THEMES),
    apps: [],
    sessions: [],
    identities: [],
    posts: [],
    jobs: [],
    adminKeys: [],
    applicationKeys: [],
    members: [],
    hasFaults: false,
    hoursLeft: random.weighted([
      [6, 3 * DAY_HOURS],
      [3, 9 * DAY_HOURS],
      [1, 32 * DAY_HOURS],
    ]),
  };
  const steps: Step[] = [];
  const add = (action: StepAction) => {
    const step = { n: steps.length + 1, ...action } as Step;
    steps.push(step);
    note(model, step);
  };
  add({ do: "createApplication" });
  if (random.chance(0.25)) add({ do: "createApplication" });
  while (steps.length < length) {
    add(nextAction(model));
    if (random.chance(0.35)) add({ do: "readAll" });
  }
  add({ do: "readAll" });
  return steps;
}

/** Weights of the kinds of steps, by theme; what is not named has the weight of `mixed`. */
const WEIGHTS: Readonly<Record<Theme, Readonly<Record<string, number>>>> = {
  mixed: {
    connect: 14,
    proceed: 40,
    read: 14,
    job: 10,
    leave: 4,
    provider: 8,
    fault: 4,
    time: 8,
    identity: 4,
    admin: 8,
    request: 3,
  },
  connect: { connect: 20, proceed: 60, job: 3, time: 10, identity: 0, admin: 4 },
  reads: { read: 24, job: 26, provider: 18, fault: 8, time: 12, admin: 2, identity: 0 },
  siblings: { connect: 14, proceed: 60, leave: 14, provider: 8, fault: 6, time: 12, admin: 1, identity: 0, request: 0 },
  admin: { admin: 60, connect: 6, proceed: 20, job: 2, time: 4 },
  identity: { identity: 60, connect: 3, proceed: 8, admin: 8, job: 1, time: 8 },
};

function nextAction(model: Model): StepAction {
  const { random, theme } = model;
  const weights = { ...WEIGHTS.mixed, ...WEIGHTS[theme] };
  const kinds: readonly (readonly [number, (model: Model) => StepAction | null])[] = [
    [weights["connect"] ?? 0, createSession],
    [weights["proceed"] ?? 0, proceed],
    [weights["read"] ?? 0, read],
    [weights["job"] ?? 0, job],
    [weights["leave"] ?? 0, leave],
    [weights["provider"] ?? 0, provider],
    [weights["fault"] ?? 0, fault],
    [weights["time"] ?? 0, time],
    [weights["identity"] ?? 0, identity],
    [weights["admin"] ?? 0, generateAdmin],
    [weights["request"] ?? 0, request],
  ];
  for (;;) {
    const action = random.weighted(kinds)(model);
    if (action !== null) return action;
  }
}

function accountFor(model: Model, provider: Provider): string {
  const { random, theme } = model;
  if (theme === "siblings") {
    return random.weighted([
      [4, random.pick(ordinaryAt(provider))],
      [3, random.pick(scriptedAt(provider))],
      [1, random.pick(SCRIPTED_EVERYWHERE)],
    ]);
  }
  return random.weighted([
    [6, random.pick(ordinaryAt(provider))],
    [2, random.pick(scriptedAt(provider))],
    [2, random.pick(SCRIPTED_EVERYWHERE)],
  ]);
}

function createSession(model: Model): StepAction {
  const { random, theme } = model;
  const known = connected(model);
  const reconnect = known.length > 0 && random.chance(0.25) ? random.pick(known) : null;
  const provider =
    reconnect?.provider ??
    (theme === "siblings" ? random.pick(["PROVIDER_A", ...WITH_SIBLINGS]) : random.pick(PROVIDERS));
  const who = random.chance(0.02)
    ? ({ tenant: "unregistered", subject: "ann" } as const)
    : random.chance(0.02)
      ? ({ tenant: "one", subject: "x".repeat(random.pick([0, 128, 129])) } as const)
      : random.pick(SUBJECTS);
  const capabilities = random.weighted([
    [8, [...CAPABILITIES]],
    [3, random.some(CAPABILITIES)],
    [0.3, []],
    [0.3, ["PROFILE", "PROFILE"] as const],
  ]);
  return {
    do: "createSession",
    app: random.pick(model.apps),
    who: reconnect && random.chance(0.9) ? reconnect.who : who,
    provider: random.chance(0.03) ? random.pick(PROVIDERS) : provider,
    capabilities,
    returnUrl: random.weighted([
      [20, "registered"],
      [3, "other"],
      [0.5, "unregistered"],
      [0.3, "fragment"],
      [0.3, "reserved"],
      [0.3, "preview"],
    ]),
    ...(reconnect
      ? { reconnect: reconnect.n }
      : random.chance(0.03)
        ? { reconnect: random.pick(["unknown", "malformed"] as const) }
        : {}),
  };
}

/** The next step of a browser in an attempt in progress; sometimes of another browser. */
function proceed(model: Model): StepAction | null {
  const { random } = model;
  const open = model.sessions.filter((one) => one.stage !== "back");
  const session =
    open.length > 0 && random.chance(0.95)
      ? random.pick(open.slice(-3))
      : model.sessions.length > 0
        ? random.pick(model.sessions)
        : null;
  if (session === null) return null;
  const browser = random.chance(0.95) ? session.browser : random.pick(["one", "two", "three"]);
  switch (session.stage) {
    case "created":
      return {
        do: "launch",
        session: session.n,
        browser,
        origin: random.weighted([
          [20, "right"],
          [1, "wrong"],
          [0.5, "opaque"],
          [0.5, "none"],
        ]),
        token: random.weighted([
          [30, "right"],
          [1, "wrong"],
          [0.5, "missing"],
        ]),
      };
    case "launched":
      return {
        do: "consent",
        session: session.n,
        account: session.isReconnect && random.chance(0.85) ? session.account : accountFor(model, session.provider),
        decision: random.chance(0.94) ? "allow" : "deny",
        scopes: random.weighted([
          [16, "all"],
          [1, "none"],
          [1, "first"],
          [1, "last"],
          [1, "butLast"],
        ]),
      };
    case "consented":
      return {
        do: "callback",
        session: session.n,
        browser,
        change: random.weighted([
          [24, "none"],
          [1, "state"],
          [1, "error"],
          [0.5, "nothing"],
          [1, "code"],
        ]),
      };
    case "back":
      // A replayed form or redirect.
      return random.chance(0.5)
        ? { do: "launch", session: session.n, browser, origin: "right", token: "right" }
        : { do: "callback", session: session.n, browser, change: "none" };
  }
}

function connected(model: Model): ModelSession[] {
  return model.sessions.filter((one) => one.stage === "back" && !one.isDisconnected);
}

function anyConnection(model: Model): ModelSession | null {
  const { random, sessions } = model;
  const known = connected(model);
  if (known.length > 0 && random.chance(0.92)) return random.pick(known.slice(-5));
  const back = sessions.filter((one) => one.stage === "back");
  return back.length > 0 ? random.pick(back) : null;
}

function appOf(model: Model, session: ModelSession): number {
  return model.random.chance(0.97) ? session.app : model.random.pick(model.apps);
}

function read(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null)
    return random.chance(0.2) ? { do: random.pick(["status", "readiness"]), app: random.pick(model.apps) } : null;
  const app = appOf(model, session);
  const connection = random.chance(0.97) ? session.n : random.pick(["unknown", "malformed"] as const);
  const posts = model.posts.filter((post) => post.provider === session.provider);
  return random.weighted<StepAction>([
    [4, { do: "connection", connection, app, ...(random.chance(0.1) && { who: random.pick(SUBJECTS) }) }],
    [2, { do: "connections", app, who: random.pick(SUBJECTS), first: random.pick([null, 1, 2, 100, 0, 101]) }],
    [5, { do: "content", connection, app, window: random.pick(WINDOWS), first: random.pick([50, 50, 1, 3, 0, 51]) }],
    [3, { do: "contentItem", connection, app, post: posts.length > 0 ? random.pick(posts).n : "unknown" }],
    [
      1,
      {
        do: "result",
        session: random.chance(0.9) ? session.n : "unknown",
        app,
        ...(random.chance(0.1) && { who: random.pick(SUBJECTS) }),
      },
    ],
    [1, { do: "readiness", app }],
    [0.5, { do: "status", app }],
  ]);
}

/** Common ones, the longest, an empty, a reversed, and one above the limit. */
const WINDOWS = [
  { fromHoursAgo: 7 * 24, toHoursAgo: -1 },
  { fromHoursAgo: 48, toHoursAgo: 0 },
  { fromHoursAgo: 30 * 24, toHoursAgo: 24 },
  { fromHoursAgo: 90 * 24, toHoursAgo: 0 },
  { fromHoursAgo: 24, toHoursAgo: 24 },
  { fromHoursAgo: 1, toHoursAgo: 24 },
  { fromHoursAgo: 90 * 24 + 1, toHoursAgo: 0 },
] as const;

function job(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null) return null;
  const app = appOf(model, session);
  const connection = random.chance(0.97) ? session.n : random.pick(["unknown", "malformed"] as const);
  const posts = model.posts.filter(
    (post) => post.provider === session.provider && (post.account === session.account || random.chance(0.1)),
  );
  const post = posts.length > 0 ? random.pick(posts).n : ("unknown" as const);
  const scans = model.jobs.filter((one) => one.session === session);
  const continues = scans.length > 0 ? random.pick(scans).n : ("unknown" as const);
  const window = random.pick(WINDOWS);
  return random.weighted<StepAction>([
    [3, { do: "refresh", connection, app }],
    [
      5,
      {
        do: "refresh",
        connection,
        app,
        window,
        ...(random.chance(0.6) && { maxItems: random.pick([1, 1, 2, 3, 100, 0, 101]) }),
      },
    ],
    [4, { do: "refresh", connection, app, post }],
    [0.5, { do: "refresh", connection, app, post, window }],
    [3, { do: "refresh", connection, app, continues, ...(random.chance(0.3) && { window }) }],
    [
      4,
      {
        do: "lookup",
        connection,
        app,
        post: typeof post === "number" ? post : random.pick(["foreign", "other-host", "http", "long"] as const),
      },
    ],
    [1, { do: "lookup", connection, app, post: random.pick(["foreign", "other-host", "http", "long"] as const) }],
    [3, { do: "job", connection, app, job: scans.length > 0 ? random.pick(scans).n : "unknown" }],
  ]);
}

function leave(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null) return null;
  if (session.isDisconnected && random.chance(0.6)) return { do: "receipts", connection: session.n, app: session.app };
  const connection = random.chance(0.97) ? session.n : ("unknown" as const);
  return {
    do: "disconnect",
    connection,
    app: appOf(model, session),
    ...(random.chance(0.05) && { who: random.pick(SUBJECTS) }),
  };
}

function provider(model: Model): StepAction | null {
  const { random } = model;
  const session = anyConnection(model);
  if (session === null) return null;
  const { account, provider: at } = session;
  if (account === "") return null;
  const posts = model.posts.filter((post) => post.provider === at);
  return random.weighted<StepAction>([
    [8, { do: "publish", provider: at, account, hoursAgo: random.pick([1, 5, 30, 100, 400, 2_000]) }],
    [
      posts.length > 0 ? 4 : 0,
      {
        do: "visibility",
        post: posts.length > 0 ? random.pick(posts).n : 0,
        visibility: random.pick(["public", "private", "deleted"]),
      },
    ],
    [1, { do: "endGrants", provider: at, account }],
    [1, { do: "removeApp", provider: at, account }],
  ]);
}

const FAULTS: readonly ProviderFault[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "status", status: 503, retryAfterSeconds: 120 },
  { kind: "rate-limited" },
  { kind: "rate-limited", retryAfterSeconds: 600 },
  { kind: "rate-limited", retryAfterSeconds: 7_200 },
];
const CALLS: readonly ProviderCall[] = ["exchange", "refresh", "revoke", "profile", "list"];

function fault(model: Model): StepAction {
  const { random } = model;
  if (model.hasFaults && random.chance(0.5)) return { do: "clearFaults" };
  const at = random.pick(PROVIDERS);
  const call = random.pick(CALLS);
  const accounts = model.sessions.filter((one) => one.provider === at && one.account !== "").map((one) => one.account);
  return {
    do: "fault",
    provider: at,
    call,
    fault: random.pick(FAULTS),
    // Beyond ten a job is given up or tried for a day, which is another number of calls on each side. The scan and the
    // profile read of a day renew one token in either order, so both of them must get the fault.
    count: random.pick(call === "refresh" ? [2, 2, 4, 10] : [1, 1, 2, 3, 10]),
    ...(accounts.length > 0 && random.chance(0.5) && { account: random.pick(accounts) }),
  };
}

const HOURS = [0.05, 0.2, 1, 6, 23, 25, 3 * 24, 7 * 24 + 1, 8 * 24, 31 * 24] as const;

function time(model: Model): StepAction | null {
  const { random } = model;
  const session = model.sessions.at(-random.int(1, 3));
  if (session !== undefined && random.chance(0.3)) {
    return {
      do: "advanceTo",
      session: session.n,
      deadline: random.chance(0.8) ? "expiresAt" : "resultExpiresAt",
      offsetMs: random.pick([-20_000, 20_000]),
    };
  }
  const affordable = HOURS.filter((hours) => hours <= model.hoursLeft);
  return affordable.length === 0 ? null : { do: "advance", ms: Math.round(random.pick(affordable) * HOUR_MS) };
}

function identity(model: Model): StepAction {
  const { random } = model;
  const open = model.identities.filter((one) => one.stage !== "back");
  const app = random.pick(model.apps);
  const tenant = random.weighted([
    [20, "one"],
    [2, "two"],
    [1, "unregistered"],
  ] as const);
  const known = model.identities.at(-random.int(1, 3));
  if (known !== undefined && random.chance(0.3)) {
    const proof = random.chance(0.85) ? "right" : "wrong";
    return {
      do: "redeem",
      identity: random.chance(0.97) ? known.n : "unknown",
      app: random.chance(0.95) ? known.app : app,
      tenant,
      proof,
    };
  }
  const one = open.length > 0 && random.chance(0.8) ? random.pick(open.slice(-2)) : null;
  if (one === null)
    return { do: "createIdentity", app, tenant, returnUrl: random.chance(0.95) ? "registered" : "unregistered" };
  const browser = random.chance(0.93) ? one.browser : "three";
  switch (one.stage) {
    case "created":
      return { do: "launchIdentity", identity: one.n, browser, origin: random.chance(0.94) ? "right" : "wrong" };
    case "launched":
      return {
        do: "signIn",
        identity: one.n,
        person: random.pick(["ada", "ada", "ben", "no-email", "unicode", "deny"]),
        decision: random.chance(0.9) ? "allow" : "deny",
      };
    default:
      return {
        do: "identityCallback",
        identity: one.n,
        browser,
        change: random.weighted([
          [20, "none"],
          [1, "state"],
          [1, "error"],
        ] as const),
      };
  }
}

function request(model: Model): StepAction {
  return { do: "request", app: model.random.pick(model.apps), variant: model.random.pick(REQUEST_VARIANTS) };
}

/** What a step has most likely made. A wrong guess costs a step that has nothing to do. */
function note(model: Model, step: Step): void {
  const { random } = model;
  const sessionOf = (n: number) => model.sessions.find((one) => one.n === n);
  switch (step.do) {
    case "createApplication":
      model.apps.push(step.n);
      return;
    case "createSession": {
      const target = typeof step.reconnect === "number" ? sessionOf(step.reconnect) : undefined;
      const { app, n, provider: at, who } = step;
      const isWrong = step.returnUrl !== "registered" && step.returnUrl !== "other";
      if (isWrong || who.tenant === "unregistered") return;
      const browser = random.pick(["one", "one", "two"]);
      const account = target?.account ?? "";
      model.sessions.push({
        n,
        app,
        who,
        provider: at,
        browser,
        account,
        isReconnect: target !== undefined,
        stage: "created",
        isDisconnected: false,
      });
      return;
    }
    case "launch": {
      const session = sessionOf(step.session);
      if (session?.stage === "created" && step.origin === "right" && step.token === "right") {
        session.stage = "launched";
        (session as { browser: string }).browser = step.browser;
      }
      return;
    }
    case "consent": {
      const session = sessionOf(step.session);
      if (session) Object.assign(session, { stage: "consented", account: step.account });
      return;
    }
    case "callback": {
      const session = sessionOf(step.session);
      if (session && step.browser === session.browser && step.change !== "state" && step.change !== "nothing")
        session.stage = "back";
      return;
    }
    case "disconnect": {
      const session = typeof step.connection === "number" ? sessionOf(step.connection) : undefined;
      if (session) session.isDisconnected = true;
      return;
    }
    case "refresh":
    case "lookup": {
      const session = typeof step.connection === "number" ? sessionOf(step.connection) : undefined;
      if (session) model.jobs.push({ n: step.n, session });
      return;
    }
    case "publish":
      model.posts.push({ n: step.n, provider: step.provider, account: step.account });
      return;
    case "createIdentity":
      model.identities.push({ n: step.n, app: step.app, browser: random.pick(["one", "two"]), stage: "created" });
      return;
    case "launchIdentity":
    case "signIn":
    case "identityCallback": {
      const one = model.identities.find(({ n }) => n === step.identity);
      if (one)
        one.stage = ({ launchIdentity: "launched", signIn: "consented", identityCallback: "back" } as const)[step.do];
      return;
    }
    case "panel":
      if (step.operation === "mintApiKey") model.adminKeys.push(step.n);
      if (step.operation === "issueClientCredential" && step.args["id"]?.is === "application") {
        model.applicationKeys.push({ n: step.n, app: Number(step.args["id"].of) });
      }
      if (step.operation === "addAdminMember") model.members.push({ n: step.n, person: "admin-two" });
      return;
    case "fault":
      model.hasFaults = true;
      return;
    case "clearFaults":
      model.hasFaults = false;
      return;
    case "advance":
      model.hoursLeft -= step.ms / HOUR_MS;
      return;
    default:
  }
}
