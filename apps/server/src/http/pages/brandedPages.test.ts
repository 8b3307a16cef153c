import type { ConnectInput } from "@social-connect/domain";
import { beforeEach, describe, expect, test } from "vitest";
import { IDENTITY_RETURN_URL, ORIGIN, RETURN_URL } from "../../modules/testing/builders.ts";
import { startConnect } from "../../modules/testing/calls.ts";
import { application, connect, service } from "../../modules/testing/fixtures.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import { server, useServer } from "../testing/testServer.ts";
import { cookiesOf, locationOf, postForm, stateOf, visit } from "../testing/visits.ts";

useServer();

const LOGO =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgijEDAAEQAJ3bTiK4AAAAAElFTkSuQmCC";
const NAME = `Atelier <img src=x onerror="alert(1)">`;
const ESCAPED_NAME = "Atelier &lt;img src=x onerror=&quot;alert(1)&quot;&gt;";
const BRANDING = {
  displayName: NAME,
  logo: LOGO,
  brandColor: "#0a5c36",
  supportAddress: "mailto:help@shop.example",
  privacyUrl: "https://shop.example/privacy?a=1&b=2",
};

beforeEach(async () => {
  await service.prisma.application.update({ where: { id: application.id }, data: { ...BRANDING, enabled: true } });
});

interface Session {
  readonly launchToken: string;
  readonly id: string;
}

async function newSession(capabilities?: "PROFILE"[]): Promise<Session> {
  const { id, launchToken } = await startConnect(service, application, {
    scope: { tenantKey: "tenant-1", externalSubjectId: `subject-${++subjects}` },
    ...(capabilities === undefined ? {} : { capabilities }),
  });
  return { id, launchToken: launchToken.reveal() };
}
let subjects = 0;

/** The launch token of an identity sign-in; this service has no issuer. */
async function identityToken(): Promise<string> {
  const launchToken = newSecretHex();
  const now = service.clock.current;
  const later = new Date(now.getTime() + 60_000);
  await service.prisma.identityAttempt.create({
    data: {
      id: newId(),
      applicationId: application.id,
      tenantKey: "tenant-1",
      returnUrl: IDENTITY_RETURN_URL,
      status: "PENDING",
      launchTokenHash: sha256(launchToken),
      resultProofHash: sha256(newSecretHex()),
      createdAt: now,
      expiresAt: later,
      resultExpiresAt: later,
    },
  });
  return launchToken;
}

const REDEEM = "/api/connect/redeem";
const CONSENT = "/api/connect/consent";

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return postForm(server.url + path, fields, { origin: ORIGIN, ...headers });
}

/** Posts the launch form with the wish for the pane: a redirect to the pane, or an error page. */
function askForPane({ launchToken }: Session, headers: Record<string, string> = {}): Promise<Response> {
  return post(REDEEM, { launchToken, consent_pane: "true" }, headers);
}

/** The pane, as the browser shows it after the redirect. */
async function openPane(session: Session, headers: Record<string, string> = {}) {
  const asked = await askForPane(session, headers);
  expect([asked.status, locationOf(asked)]).toEqual([303, `${service.connectHost}${CONSENT}?attempt=${session.id}`]);
  return { cookie: cookiesOf(asked), shown: await showPane(session, cookiesOf(asked), headers) };
}

function showPane({ id }: Session, cookie: string, headers: Record<string, string> = {}): Promise<Response> {
  return visit(`${server.url}${CONSENT}?attempt=${id}`, cookie, headers);
}

/** The service's own origin, as the pane's form sends it. */
const own = () => ({ origin: new URL(service.connectHost).origin });

function pressButton({ id }: Session, cookie: string, headers: Record<string, string> = own()): Promise<Response> {
  return post(CONSENT, { attempt: id }, { cookie, ...headers });
}

describe("the choice of an account", () => {
  const sessionOf = async (externalSubjectId: string, input: Partial<ConnectInput> = {}): Promise<Session> => {
    const scope = { tenantKey: "tenant-1", externalSubjectId };
    const { id, launchToken } = await startConnect(service, application, { provider: "PROVIDER_C", scope, ...input });
    return { id, launchToken: launchToken.reveal() };
  };
  const asked = (response: Response) => new URL(locationOf(response)).searchParams.get("account_choice");
  const newSubject = () => `subject-${++subjects}`;
  const OTHER = 'name="otherAccount"';

  test("is a button of the pane at a provider that would take the account that is signed in", async () => {
    const session = await sessionOf(newSubject());
    const { cookie, shown } = await openPane(session);
    expect(await shown.text()).toContain(OTHER);
    const pressed = await post(CONSENT, { attempt: session.id, otherAccount: "true" }, { cookie, ...own() });
    expect(asked(pressed)).toBe("true");
    // After Back, the other button continues with the account that is signed in.
    expect(asked(await pressButton(session, [cookie, cookiesOf(pressed)].join("; ")))).toBeNull();
    for (const provider of ["PROVIDER_A", "PROVIDER_B"] as const)
      expect(await (await openPane(await sessionOf(newSubject(), { provider }))).shown.text()).not.toContain(OTHER);
  });

  test("is requested when the subject has a connection, and not for a reconnect", async () => {
    const subject = newSubject();
    expect(asked(await post(REDEEM, { launchToken: (await sessionOf(subject)).launchToken }))).toBeNull();
    const connection = await connect({ provider: "PROVIDER_C", externalSubjectId: subject, accountId: subject });
    expect(asked(await post(REDEEM, { launchToken: (await sessionOf(subject)).launchToken }))).toBe("true");
    expect(await (await openPane(await sessionOf(subject))).shown.text()).not.toContain(OTHER);
    const other = await sessionOf(newSubject());
    expect(asked(await post(REDEEM, { launchToken: other.launchToken }))).toBeNull();

    const reconnect = { reconnectConnectionId: connection.id };
    expect(await (await openPane(await sessionOf(subject, reconnect))).shown.text()).not.toContain(OTHER);
    expect(asked(await post(REDEEM, { launchToken: (await sessionOf(subject, reconnect)).launchToken }))).toBeNull();

    const former = newSubject();
    const data = { status: "DISCONNECTED" } as const;
    await connect({ provider: "PROVIDER_C", externalSubjectId: former, accountId: former, data });
    expect(asked(await post(REDEEM, { launchToken: (await sessionOf(former)).launchToken }))).toBeNull();
  });
});

async function statusOf({ id }: Session): Promise<string> {
  const { status } = await service.prisma.connectAttempt.findFirstOrThrow({ where: { id } });
  return status;
}

function policyOf(response: Response): string {
  return response.headers.get("content-security-policy") ?? "";
}

describe("a page of an attempt", () => {
  /** Each outcome with a page, and whether its link carries the result of the attempt. */
  const PAGES: Readonly<Record<string, readonly [status: number, page: () => Promise<Response>, hasResult: boolean]>> =
    {
      "a used token": [
        410,
        async () => {
          const { launchToken } = await newSession();
          await post(REDEEM, { launchToken });
          return post(REDEEM, { launchToken });
        },
        false,
      ],
      "a foreign origin": [
        403,
        async () => post(REDEEM, { ...(await fieldsOf(newSession())) }, { origin: "https://evil.example" }),
        false,
      ],
      "a hidden origin": [
        403,
        async () => post(REDEEM, { ...(await fieldsOf(newSession())) }, { origin: "null" }),
        false,
      ],
      "a disabled application": [
        403,
        async () => {
          const fields = await fieldsOf(newSession());
          await service.prisma.application.update({ where: { id: application.id }, data: { enabled: false } });
          return post(REDEEM, fields);
        },
        false,
      ],
      "another browser": [
        403,
        async () => {
          const launched = await post(REDEEM, await fieldsOf(newSession()));
          return visit(`${server.url}/api/connect/callback/provider-a?code=1&state=${stateOf(launched)}`);
        },
        false,
      ],
      "a malformed callback": [
        400,
        async () => {
          const launched = await post(REDEEM, await fieldsOf(newSession()));
          const search = `code=1&code=2&state=${stateOf(launched)}`;
          return visit(`${server.url}/api/connect/callback/provider-a?${search}`, cookiesOf(launched));
        },
        true,
      ],
      "an identity sign-in from a foreign origin": [
        403,
        async () => {
          const fields = { launchToken: await identityToken() };
          return post("/api/identity/redeem", fields, { origin: "https://evil.example" });
        },
        false,
      ],
    };

  async function fieldsOf(session: Promise<Session>): Promise<{ launchToken: string }> {
    return { launchToken: (await session).launchToken };
  }

  test.each(Object.entries(PAGES))(
    "carries the name, the logo and a link back: %s",
    async (_, [status, open, hasResult]) => {
      const page = await open();
      const text = await page.text();
      expect([page.status, text.includes(ESCAPED_NAME), text.includes('onerror="alert')]).toEqual([
        status,
        true,
        false,
      ]);
      expect(text).toContain(`<img src="${LOGO}" alt="">`);
      expect(text).toContain('href="mailto:help@shop.example"');
      expect(text).toContain('href="https://shop.example/privacy?a=1&amp;b=2"');
      if (hasResult) expect(text).toContain(`href="${RETURN_URL}&amp;ss_session_id=`);
      else expect(text).toContain(`href="${ORIGIN}/"`);
    },
  );

  test("has a policy without scripts, with its own style sheet only, and no images but the logo", async () => {
    const page = await post(REDEEM, await fieldsOf(newSession()), { origin: "null" });
    expect(policyOf(page)).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(await page.text()).toContain("--mark: light-dark(#0a5c36, ");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  test("without branding shows only the name", async () => {
    const none = { logo: null, brandColor: null, supportAddress: null, privacyUrl: null, displayName: "Plain" };
    await service.prisma.application.update({ where: { id: application.id }, data: none });
    const page = await post(REDEEM, await fieldsOf(newSession()), { origin: "null" });
    const text = await page.text();
    expect(text).toContain("<bdi>Plain</bdi>");
    expect(text).not.toContain("<img");
    expect(policyOf(page)).not.toContain("img-src");
  });

  test("for a foreign origin names it, escaped, in each language", async () => {
    for (const language of ["en", "de", "fr", "es", "pt", "it", "ja"]) {
      const headers = { origin: "https://evil.example", "accept-language": language };
      expect(await (await post(REDEEM, await fieldsOf(newSession()), headers)).text()).toContain(
        "https://evil.example",
      );
    }
    const hostile = await post(REDEEM, await fieldsOf(newSession()), { origin: `"><img src=x>${"x".repeat(500)}` });
    const text = await hostile.text();
    expect(text).toContain("&quot;&gt;&lt;img src=x&gt;");
    expect(text).not.toContain("x".repeat(300));
  });

  test("that belongs to no attempt names no application", async () => {
    for (const page of [
      await post(REDEEM, { launchToken: "ab".repeat(32) }),
      await visit(`${server.url}/api/connect/callback/provider-a?code=1&state=${"0".repeat(64)}`),
      await visit(`${server.url}/nowhere`),
    ]) {
      const text = await page.text();
      expect(text).toContain("<h1>");
      expect(text).not.toContain("Atelier");
    }
  });
});

describe("the language of a page", () => {
  async function pageIn(fields: Record<string, string>, headers: Record<string, string>): Promise<Response> {
    return post(REDEEM, { launchToken: "ab".repeat(32), ...fields }, headers);
  }

  test.each([
    [{}, {}, "en", "This link does not work any more"],
    [{}, { "accept-language": "de-DE,de;q=0.9,en;q=0.8" }, "de", "Dieser Link funktioniert nicht mehr"],
    [{ ui_locales: "fr-CA en" }, { "accept-language": "de" }, "fr", "Ce lien ne fonctionne plus"],
    [{ ui_locales: "tlh" }, { "accept-language": "ja" }, "ja", "このリンクは無効です"],
    [{ ui_locales: `"><script>` }, { "accept-language": "it" }, "it", "Questo link non funziona più"],
  ] as const)("with %j and %j is %s", async (fields, headers, language, title) => {
    const page = await pageIn(fields, headers);
    const text = await page.text();
    expect(text).toContain(`<html lang="${language}" dir="ltr">`);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).not.toContain("<script>");
    expect(page.headers.get("content-language")).toBe(language);
    expect(page.headers.get("vary")).toContain("accept-language");
  });

  test("stays the one of the launch form until the callback", async () => {
    const { launchToken } = await newSession();
    const launched = await post(REDEEM, { launchToken, ui_locales: "es-MX" }, { "accept-language": "de" });
    expect(cookiesOf(launched)).toContain("social-connect-language=es-MX");
    const search = `code=1&code=2&state=${stateOf(launched)}`;
    const page = await visit(`${server.url}/api/connect/callback/provider-a?${search}`, cookiesOf(launched), {
      "accept-language": "de",
    });
    expect(await page.text()).toContain('<html lang="es"');
  });

  test("is not remembered without a wish", async () => {
    const { launchToken } = await newSession();
    expect(cookiesOf(await post(REDEEM, { launchToken }, { "accept-language": "de" }))).not.toContain("language");
  });

  test("ignores a cookie that names none", async () => {
    const page = await visit(`${server.url}/nowhere`, "social-connect-language=%3Cscript%3E", {
      "accept-language": "pt",
    });
    expect(await page.text()).toContain('<html lang="pt"');
  });
});

describe("the consent pane", () => {
  const turnBack = ({ id }: Session, cookie: string, headers: Record<string, string> = own()): Promise<Response> =>
    post(CONSENT, { attempt: id, leave: "true" }, { cookie, ...headers });

  test("lists what is read, for how long it is stored and how to revoke it, and consumes nothing", async () => {
    const session = await newSession(["PROFILE"]);
    const { shown } = await openPane(session);
    const text = await shown.text();
    expect(shown.status).toBe(200);
    expect(text).toContain(`<h1>${ESCAPED_NAME} asks to read your YouTube account</h1>`);
    expect(text).toContain("<li>Your profile: name, handle, picture and description</li>");
    expect(text).not.toContain("Your posts");
    expect(text).toContain("30 days after");
    expect(text).toContain("Disconnect the account in");
    expect(text).toContain("You have 10 minutes to continue.");
    expect(text.match(/<button/g)).toHaveLength(2);
    expect(text).not.toContain("<script");
    expect(await statusOf(session)).toBe("CREATED");
  });

  test("is not shown or accepted by HEAD or a prefetch", async () => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    const address = `${server.url}${CONSENT}?attempt=${session.id}`;
    expect((await fetch(address, { method: "HEAD", headers: { cookie } })).status).toBe(204);
    const early = { "sec-purpose": "prefetch;prerender" };
    const shown = await visit(address, cookie, early);
    expect([shown.status, await shown.text()]).toEqual([425, ""]);
    expect((await pressButton(session, cookie, { ...own(), ...early })).status).toBe(425);
    expect(await statusOf(session)).toBe("CREATED");
    expect((await pressButton(session, cookie)).status).toBe(303);
  });

  test("contains no token, in the page, in its URL or readable in its cookie", async () => {
    const session = await newSession();
    const asked = await askForPane(session);
    const { shown } = await openPane(session);
    for (const text of [await shown.text(), locationOf(asked), asked.headers.getSetCookie().join()]) {
      expect(text).not.toContain(session.launchToken);
    }
    expect(asked.headers.getSetCookie()[0]).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/);
  });

  test("lets its form post to the service only, whose redirect leads to a provider", async () => {
    const { shown } = await openPane(await newSession());
    expect(policyOf(shown)).toContain("form-action 'self' ");
    expect(policyOf(shown)).toContain("default-src 'none'");
    // With no-referrer, the browser would send `Origin: null`.
    expect(shown.headers.get("referrer-policy")).toBe("same-origin");
    expect(shown.headers.get("cache-control")).toBe("no-store");
  });

  test("leads on to the provider by its button, and again after Back, in the same browser", async () => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    const launched = await pressButton(session, cookie);
    expect(launched.status).toBe(303);
    expect(stateOf(launched)).toMatch(/^[0-9a-f]{64}$/);
    expect(await statusOf(session)).toBe("AUTHORIZING");
    expect((await showPane(session, cookie)).status).toBe(200);
    const again = await pressButton(session, cookie);
    expect([again.status, locationOf(again)]).toEqual([303, locationOf(launched)]);
    const asked = await askForPane(session);
    expect([asked.status, await asked.text()]).toEqual([410, expect.stringContaining(`href="${ORIGIN}/"`)]);
    service.clock.advance(10 * 60_000);
    expect((await pressButton(session, cookie)).status).toBe(410);
    expect(await statusOf(session)).toBe("EXPIRED");
  });

  test("is closed by the provider's callback, and to a launch from elsewhere", async () => {
    const returned = await newSession();
    const { cookie } = await openPane(returned);
    const launched = await pressButton(returned, cookie);
    const search = new URLSearchParams({ state: stateOf(launched), error: "access_denied" });
    await visit(`${server.url}/api/connect/callback/provider-a?${search}`, cookiesOf(launched));
    const elsewhere = await newSession();
    const { cookie: unused } = await openPane(elsewhere);
    await post(REDEEM, { launchToken: elsewhere.launchToken });
    for (const [session, own] of [
      [returned, cookie],
      [elsewhere, unused],
    ] as const) {
      const pages = [pressButton(session, own), showPane(session, own), turnBack(session, own)];
      expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([410, 410, 410]);
    }
    expect([await statusOf(returned), await statusOf(elsewhere)]).toEqual(["DENIED", "AUTHORIZING"]);
  });

  test("is opened later for an attempt that was launched without it, and continues or cancels it", async () => {
    const session = await newSession();
    const launched = await post(REDEEM, { launchToken: session.launchToken });
    const cookie = cookiesOf(launched);
    expect(cookie).not.toContain(session.launchToken);
    expect((await (await showPane(session, cookie)).text()).match(/<button/g)).toHaveLength(2);
    expect(await statusOf(session)).toBe("AUTHORIZING");
    expect((await showPane(session, "")).status).toBe(403);
    expect(locationOf(await pressButton(session, cookie)).replace(/code_challenge=[\w-]+/, "")).toBe(
      locationOf(launched).replace(/code_challenge=[\w-]+/, ""),
    );
    expect((await turnBack(session, cookie, { origin: ORIGIN })).status).toBe(403);
    expect(locationOf(await turnBack(session, cookie))).toContain("ss_status=CANCELED");
    expect(await statusOf(session)).toBe("CANCELED");
  });

  test("of an attempt that has ended links to the return URL with the result, only in its browser", async () => {
    const session = await newSession();
    const launched = await post(REDEEM, { launchToken: session.launchToken });
    const search = new URLSearchParams({ state: stateOf(launched), error: "access_denied" });
    await visit(`${server.url}/api/connect/callback/provider-a?${search}`, cookiesOf(launched));
    const page = await showPane(session, cookiesOf(launched));
    const link = `href="${RETURN_URL}&amp;ss_session_id=${session.id}&amp;ss_status=DENIED"`;
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining(link)]);
    const elsewhere = await showPane(session, "");
    expect([elsewhere.status, await elsewhere.text()]).toEqual([403, expect.not.stringContaining("ss_status")]);
  });

  test("is shown again when the visitor goes back or reloads before the button is pressed", async () => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    expect((await showPane(session, cookie)).status).toBe(200);
    const second = await openPane(session);
    expect((await pressButton(session, second.cookie)).status).toBe(303);
  });

  test("launches once and has one redirect for fifty concurrent presses of the button", async () => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    const presses = await Promise.all(Array.from({ length: 50 }, () => pressButton(session, cookie)));
    expect(new Set(presses.map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set(presses.map(locationOf)).size).toBe(1);
    expect(new Set(presses.map(cookiesOf)).size).toBe(1);
  });

  test.each([
    ["a foreign site", { origin: "https://evil.example" }],
    ["the application itself", { origin: ORIGIN }],
    ["a hidden origin", { origin: "null" }],
  ])("refuses a press from %s", async (_, headers) => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    expect((await pressButton(session, cookie, headers)).status).toBe(403);
    expect(await statusOf(session)).toBe("CREATED");
    expect((await pressButton(session, cookie)).status).toBe(303);
  });

  test("leads back to the application by its other button, which cancels the attempt, once", async () => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    const left = await turnBack(session, cookie);
    expect([left.status, locationOf(left)]).toEqual([
      303,
      `${RETURN_URL}&ss_session_id=${session.id}&ss_status=CANCELED`,
    ]);
    const { status, resultCode } = await service.prisma.connectAttempt.findFirstOrThrow({ where: { id: session.id } });
    expect([status, resultCode]).toEqual(["CANCELED", "USER_DENIED"]);
    for (const page of [await turnBack(session, cookie), await pressButton(session, cookie)])
      expect(page.status).toBe(410);
  });

  test("an attempt that was left does not count as pending", async () => {
    const scope = { tenantKey: "tenant-1", externalSubjectId: "subject-who-turns-back" };
    for (let times = 0; times < 6; times += 1) {
      const { id, launchToken } = await startConnect(service, application, { scope });
      const session = { id, launchToken: launchToken.reveal() };
      await turnBack(session, (await openPane(session)).cookie);
      expect(await statusOf(session)).toBe("CANCELED");
    }
  });

  test("is not left from another site, in another browser, by a used token or after the deadline", async () => {
    const session = await newSession();
    const { cookie } = await openPane(session);
    const { cookie: other } = await openPane(await newSession());
    expect((await turnBack(session, cookie, { origin: ORIGIN })).status).toBe(403);
    expect((await turnBack(session, other)).status).toBe(403);
    expect(await statusOf(session)).toBe("CREATED");
    const launched = await newSession();
    const { cookie: of } = await openPane(launched);
    await pressButton(launched, of);
    expect(await statusOf(launched)).toBe("AUTHORIZING");
    expect((await turnBack(launched, of)).status).toBe(303);
    expect(await statusOf(launched)).toBe("CANCELED");
    expect((await turnBack(launched, of)).status).toBe(410);
    service.clock.advance(10 * 60_000);
    expect((await turnBack(session, cookie)).status).toBe(410);
    expect(await statusOf(session)).toBe("EXPIRED");
  });

  test("is refused, with its button, in a browser that did not launch the attempt", async () => {
    const session = await newSession();
    const { cookie: own } = await openPane(session);
    const { cookie: other } = await openPane(await newSession());
    const [name = ""] = own.split("=");
    for (const cookie of ["", other, `${name}=forged`, `${name}=${other.split("=")[1]}`]) {
      const refused = [await pressButton(session, cookie), await showPane(session, cookie)];
      expect([cookie, ...refused.map(({ status }) => status)]).toEqual([cookie, 403, 403]);
    }
    expect(await statusOf(session)).toBe("CREATED");
  });

  test("is refused without an attempt, and for a malformed one", async () => {
    const { cookie } = await openPane(await newSession());
    for (const query of ["", "?attempt=", "?attempt=1&attempt=2", `?attempt=${"x".repeat(5_000)}`]) {
      const refused = await visit(`${server.url}${CONSENT}${query}`, cookie);
      expect([query.slice(0, 20), refused.status]).toEqual([query.slice(0, 20), 403]);
    }
  });

  test("is not shown to a foreign site, for a used token or after the deadline", async () => {
    const session = await newSession();
    expect((await askForPane(session, { origin: "https://evil.example" })).status).toBe(403);
    const used = await newSession();
    await post(REDEEM, { launchToken: used.launchToken });
    expect((await askForPane(used)).status).toBe(410);
    const { cookie } = await openPane(session);
    service.clock.advance(10 * 60_000);
    expect(await (await askForPane(session)).text()).toContain("took too long");
    expect((await pressButton(session, cookie)).status).toBe(410);
  });

  test.each([
    ["another value", "consent_pane=yes"],
    ["an empty value", "consent_pane="],
    ["two values", "consent_pane=true&consent_pane=true"],
    ["a long value", `consent_pane=${"true".repeat(1_000)}`],
  ])("is refused with %s, and nothing is consumed", async (_, field) => {
    const session = await newSession();
    const refused = await fetch(server.url + REDEEM, {
      method: "POST",
      redirect: "manual",
      headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded" },
      body: `launchToken=${session.launchToken}&${field}`,
    });
    expect(refused.status).toBe(400);
    expect(await statusOf(session)).toBe("CREATED");
  });

  test("is refused for the identity handoff", async () => {
    const fields = { launchToken: await identityToken(), consent_pane: "true" };
    expect((await post("/api/identity/redeem", fields)).status).toBe(400);
  });

  test("is in the visitor's language, or in the one of the launch form", async () => {
    const { shown } = await openPane(await newSession(), { "accept-language": "de" });
    const text = await shown.text();
    expect(text).toContain("Sie haben noch 10 Minuten Zeit");
    expect(text).toContain("Weiter zu ");
    const session = await newSession();
    const asked = await post(REDEEM, { launchToken: session.launchToken, consent_pane: "true", ui_locales: "ja" });
    expect(await (await showPane(session, cookiesOf(asked))).text()).toContain("10分");
  });
});
