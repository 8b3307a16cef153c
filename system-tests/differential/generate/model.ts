import type { Provider } from "../../../packages/conformance/src/index.ts";
import type { SeededRandom } from "./random.ts";
import { isReference, type Step, type Subject } from "./steps.ts";

/** The focus of a sequence, so that combinations occur which random choice would rarely produce. */
export const THEMES = ["connect", "reads", "siblings", "admin", "identity", "mixed"] as const;
export type Theme = (typeof THEMES)[number];

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

export const SUBJECTS: readonly Subject[] = [
  { tenant: "one", subject: "ann" },
  { tenant: "one", subject: "bob" },
  { tenant: "two", subject: "ann" },
];

export const HOUR_MS = 3_600_000;

export function connected(model: Model): ModelSession[] {
  return model.sessions.filter((one) => one.stage === "back" && !one.isDisconnected);
}

export function anyConnection(model: Model): ModelSession | null {
  const { random, sessions } = model;
  const known = connected(model);
  if (known.length > 0 && random.chance(0.92)) return random.pick(known.slice(-5));
  const back = sessions.filter((one) => one.stage === "back");
  return back.length > 0 ? random.pick(back) : null;
}

export function appOf(model: Model, session: ModelSession): number {
  return model.random.chance(0.97) ? session.app : model.random.pick(model.apps);
}

/** What a step has most likely made. A wrong guess costs a step that has nothing to do. */
export function note(model: Model, step: Step): void {
  const { random } = model;
  const sessionOf = (n: number) => model.sessions.find((one) => one.n === n);
  switch (step.do) {
    case "createApplication":
      model.apps.push(step.n);
      return;
    case "createSession": {
      const { app, n, provider: at, who } = step;
      const named = typeof step.reconnect === "number" ? sessionOf(step.reconnect) : undefined;
      // No account is at two providers.
      const target = named?.provider === at ? named : undefined;
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
      if (step.operation === "issueClientCredential" && isReference(step.args["id"]) && "of" in step.args["id"]) {
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
