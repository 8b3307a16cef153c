import { CAPABILITIES, SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { accountFor, WITH_SIBLINGS } from "./accounts.ts";
import { anyConnection, appOf, connected, type Model, SUBJECTS } from "./model.ts";
import type { StepAction } from "./steps.ts";

export function createSession(model: Model): StepAction {
  const { random, theme } = model;
  const known = connected(model);
  const reconnect = known.length > 0 && random.chance(0.25) ? random.pick(known) : null;
  const provider =
    reconnect?.provider ??
    (theme === "siblings" ? random.pick(["PROVIDER_A", ...WITH_SIBLINGS]) : random.pick(SOCIAL_PROVIDERS));
  const who = random.chance(0.02)
    ? ({ tenant: "unregistered", subject: "ann" } as const)
    : random.chance(0.02)
      ? ({ tenant: "one", subject: "x".repeat(random.pick([0, 128, 129])) } as const)
      : random.pick(SUBJECTS);
  const capabilities = random.weightedEntry([
    [8, [...CAPABILITIES]],
    [3, random.some(CAPABILITIES)],
    [0.3, []],
    [0.3, ["PROFILE", "PROFILE"] as const],
  ]);
  return {
    do: "createSession",
    app: random.pick(model.apps),
    who: reconnect && random.chance(0.9) ? reconnect.who : who,
    provider: random.chance(0.03) ? random.pick(SOCIAL_PROVIDERS) : provider,
    capabilities,
    returnUrl: random.weighted({
      registered: 20,
      other: 3,
      unregistered: 0.5,
      fragment: 0.3,
      reserved: 0.3,
      preview: 0.3,
    }),
    ...(reconnect
      ? { reconnect: reconnect.n }
      : random.chance(0.03)
        ? { reconnect: random.pick(["unknown", "malformed"] as const) }
        : {}),
  };
}

/** The next step of a browser in an attempt in progress; sometimes of another browser. */
export function proceed(model: Model): StepAction | null {
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
        origin: random.weighted({ right: 20, wrong: 1, opaque: 0.5, none: 0.5 }),
        token: random.weighted({ right: 30, wrong: 1, missing: 0.5 }),
      };
    case "launched":
      return {
        do: "consent",
        session: session.n,
        account: session.isReconnect && random.chance(0.85) ? session.account : accountFor(model, session.provider),
        decision: random.chance(0.94) ? "allow" : "deny",
        scopes: random.weighted({ all: 16, none: 1, first: 1, last: 1, butLast: 1 }),
      };
    case "consented":
      return {
        do: "callback",
        session: session.n,
        browser,
        change: random.weighted({ none: 24, state: 1, error: 1, nothing: 0.5, code: 1 }),
      };
    case "back":
      // A replayed form or redirect.
      return random.chance(0.5)
        ? { do: "launch", session: session.n, browser, origin: "right", token: "right" }
        : { do: "callback", session: session.n, browser, change: "none" };
  }
}

export function leave(model: Model): StepAction | null {
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
