import {
  ISSUER_FAULTS,
  ISSUER_KEYS,
  ISSUER_PROFILES,
  type IssuerFault,
  type IssuerKey,
  type RunningSimulator,
  returnFromSignIn,
} from "@social-connect/simulator";
import { sampled } from "@social-connect/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkIssuer } from "../cli/doctor/serviceChecks.ts";
import { SYSTEM } from "../modules/admin/actor.ts";
import { addAdmin } from "../modules/admins/admins.ts";
import { redeemIdentityResult } from "../modules/identity/redeemIdentityResult.ts";
import { createAdminMember } from "../modules/testing/admins.ts";
import { createApplication, ORIGIN, type TestApplication } from "../modules/testing/builders.ts";
import { startIdentity } from "../modules/testing/calls.ts";
import { service, useService } from "../modules/testing/fixtures.ts";
import { Secret } from "../platform/secrets/secret.ts";
import { type AdminServer, startAdminServer } from "./testing/adminServer.ts";
import { issuerAt, moveIssuerClock, startIssuer } from "./testing/issuer.ts";
import { cookiesOf, locationOf } from "./testing/visits.ts";

useService();

/** The service's settings, which each test points at an issuer. */
const issuer = { ...issuerAt("http://127.0.0.1:9"), responseMode: null as "form_post" | null };
let server: AdminServer;
let simulator: RunningSimulator;
let application: TestApplication;

beforeAll(async () => {
  server = await startAdminServer(service, { issuer });
  simulator = await startIssuer([`${server.url}/panel/callback`, `${server.url}/api/identity/callback`]);
  application = await createApplication(service, "shop", { idpIdentityEnabled: true });
  await moveIssuerClock(simulator, service);
});
afterAll(async () => {
  await server.close();
  await simulator.close();
});
beforeEach(async () => {
  simulator.setIssuerFaults([]);
  await service.prisma.identityAttempt.deleteMany();
  await service.prisma.adminMember.deleteMany();
  await createAdminMember(service, "keeper@example.test");
  await addAdmin(service, SYSTEM, "admin@example.test");
});

function pointAt(key: IssuerKey): void {
  issuer.url = simulator.issuerUrls[key];
  issuer.responseMode = EXPECTED[key].isPosted ? "form_post" : null;
}

/** Follows a redirect to the issuer and back to the response of the callback, as a browser does. */
async function signInAt(started: Response, person: string, session = ""): Promise<Response> {
  expect(started.status).toBe(303);
  const cookie = `${cookiesOf(started)}; ${session}`;
  const back = await returnFromSignIn(locationOf(started), { person });
  const callback = back.form === null ? back.url : await postForm(back.url, back.form);
  return fetch(callback, { headers: { cookie }, redirect: "manual" });
}

/** A post from the issuer's site has no cookies. */
async function postForm(url: URL, form: URLSearchParams): Promise<URL> {
  const posted = await fetch(url, { method: "POST", body: form, redirect: "manual" });
  expect(posted.status).toBe(303);
  const target = new URL(locationOf(posted));
  expect(target.origin + target.pathname).toBe(url.href);
  return target;
}

/** The response of the panel's callback; with the cookie of a session, a confirmation. */
async function signInToPanel(session = ""): Promise<Response> {
  const path = session === "" ? "/panel/sign-in" : "/panel/confirm";
  const started = await fetch(server.url + path, { headers: { cookie: session }, redirect: "manual" });
  return signInAt(started, "admin", session);
}

async function handOff(person = "ada") {
  const session = await startIdentity(server.service, application);
  const body = new URLSearchParams({ launchToken: session.launchToken.reveal() });
  const request = { method: "POST", headers: { origin: ORIGIN }, body, redirect: "manual" as const };
  const answer = await signInAt(await fetch(`${server.url}/api/identity/redeem`, request), person);
  expect(answer.status).toBe(303);
  return redeemIdentityResult(service, application.caller, {
    id: session.id,
    tenantKey: application.tenantKey,
    resultProof: session.resultProof.reveal(),
  });
}

interface Expected {
  /** ISSUER_RESPONSE_MODE is form_post. */
  readonly isPosted?: true;
  readonly name: string | null;
  readonly hasPicture: boolean;
  /** Claims that admins need and its metadata does not list. */
  readonly unlisted?: string;
}

const ALL = { name: "Ada Lindqvist", hasPicture: true } as const;
const EXPECTED: Readonly<Record<IssuerKey, Expected>> = {
  "issuer-a": { ...ALL, unlisted: "auth_time" },
  "issuer-b": { ...ALL, unlisted: "email_verified" },
  "issuer-c": { ...ALL, isPosted: true, hasPicture: false, unlisted: "email, email_verified" },
  "issuer-d": ALL,
  "issuer-e": ALL,
  "issuer-f": ALL,
  "issuer-g": { ...ALL, unlisted: "email_verified" },
  "issuer-h": ALL,
  "issuer-i": ALL,
  "issuer-j": { isPosted: true, name: null, hasPicture: false, unlisted: "auth_time" },
  "issuer-k": { ...ALL, unlisted: "auth_time" },
};

describe.each(ISSUER_KEYS.map((key) => ({ key, label: ISSUER_PROFILES[key].label })))(
  "an issuer like $label",
  ({ key }) => {
    const { name, hasPicture, unlisted } = EXPECTED[key];
    beforeEach(() => pointAt(key));

    test("signs an admin in to the panel, who can confirm", async () => {
      const signedIn = await signInToPanel();
      expect(signedIn.status).toBe(303);
      expect((await signInToPanel(cookiesOf(signedIn))).status).toBe(303);
      const bound = await service.prisma.adminMember.count({ where: { issuer: simulator.issuerUrls[key] } });
      expect(bound).toBe(1);
    });

    test("signs users in with the identity handoff", async () => {
      const result = await handOff();
      expect(result).toMatchObject({ status: "COMPLETED", issuer: simulator.issuerUrls[key], name });
      expect(result).toMatchObject({ email: "ada@example.test", emailVerified: true });
      expect(result.pictureUrl !== null).toBe(hasPicture);
      expect(await handOff("ben")).toMatchObject({ email: "ben@example.test", emailVerified: false });
      expect(await handOff("no-email")).toMatchObject({ status: "COMPLETED", email: null, emailVerified: null });
      expect(await handOff("deny")).toMatchObject({ status: "DENIED", email: null });
    });

    test("is found correct by doctor, which names claims that its metadata does not list", async () => {
      const note =
        unlisted === undefined ? "" : `; its metadata does not list ${unlisted}, which the ID tokens of admins need`;
      const message = `${simulator.issuerUrls[key]} responds and accepts the client${note}`;
      expect(await checkIssuer(server.service)).toEqual({ check: "issuer", status: "ok", message, remedy: null });
    });

    test("is reported by doctor for a wrong secret and for an unregistered redirect URL", async () => {
      const wrong = { ...server.service, issuer: { ...issuer, clientSecret: new Secret("wrong-secret") } };
      expect(await checkIssuer(wrong)).toMatchObject({
        status: "failed",
        message: `${issuer.url}: it refuses the client "panel" or its secret`,
      });
      const moved = { ...server.service, adminHost: "https://elsewhere.example.test" };
      expect(await checkIssuer(moved)).toMatchObject({
        status: "failed",
        message: `${issuer.url}: it refuses a sign-in that returns to https://elsewhere.example.test/panel/callback (HTTP 400)`,
        remedy: "Register this redirect URL for the client at the issuer",
      });
    });

    test("is rejected with every forged response", async () => {
      const harmless: IssuerFault[] = ["stale-auth-time", "wrong-discovery"];
      if (ISSUER_PROFILES[key].userInfo === null) harmless.push("wrong-userinfo-subject");
      const faults = ISSUER_FAULTS.filter((one) => !harmless.includes(one));
      for (const fault of sampled(faults, ISSUER_KEYS.indexOf(key), 3)) {
        simulator.setIssuerFaults([fault]);
        expect({ fault, status: (await handOff()).status }).toEqual({ fault, status: "FAILED" });
        expect({ fault, panel: (await signInToPanel()).status }).toEqual({ fault, panel: 502 });
      }
      simulator.setIssuerFaults(["stale-auth-time"]);
      expect((await signInToPanel()).status).toBe(502);
      simulator.setIssuerFaults(["wrong-discovery"]);
      expect((await fetch(`${server.url}/panel/sign-in`, { redirect: "manual" })).status).toBe(503);
      expect(await checkIssuer(server.service)).toMatchObject({ status: "failed" });
    });
  },
);
