import { createHmac } from "node:crypto";
import type { OperationName } from "../../packages/conformance/src/wire/documents.ts";
import { SOCIAL_PROVIDERS, type SocialProvider } from "../../packages/contract/src/index.ts";
import { callAs, giveConsent, type Launch, launch } from "../actors/person.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { KnownValues } from "./graphql.ts";

const SUBJECT = "fuzz-subject";

/** The environment under test, and helpers that prepare its flows. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld({
  admin,
  client: { clientSecret },
  database,
  databaseUrl,
  operator,
  provider: driver,
}: Deployment) {
  const [panel, application] = [await admin.panel.session?.(), await operator.createApplication()];
  if (panel === undefined) throw new Error("The admin cannot sign in to the panel.");
  const testers = await driver.testers();
  await operator.addTesters?.(application, testers);
  const { host, port } = new URL(application.baseUrl);
  const [tenantKey] = application.tenantKeys;
  const scopeOf = (externalSubjectId: string) => ({ tenantKey, externalSubjectId });

  /** An application may leave few attempts unfinished, and most of these are. */
  const begin = <Name extends OperationName>(name: Name, table: string, input: object) =>
    callAs(application, name, { input }).catch(async () => {
      await database.query(`UPDATE ${table} SET expires_at = created_at`);
      return callAs(application, name, { input });
    });
  const connectSession = (provider: SocialProvider, subject: string) =>
    begin("createConnectSession", "connect_attempt", {
      ...{ scope: scopeOf(subject), provider, returnUrl: application.returnUrl },
      capabilities: ["PROFILE", "CONTENT_LIST"],
    });
  const identitySession = () =>
    begin("createIdpIdentitySession", "identity_attempt", { tenantKey, returnUrl: application.identityReturnUrl });
  const sign = (text: string) => createHmac("sha256", clientSecret).update(text);

  // One account at each provider, so that reads find something.
  for (const provider of SOCIAL_PROVIDERS) {
    const tester = testers.find((one) => one.provider === provider);
    const session = await connectSession(provider, SUBJECT);
    await giveConsent({ provider: driver }, application, session, tester?.account ?? "");
  }
  const { items } = await callAs(application, "connections", { scope: scopeOf(SUBJECT), first: null });
  if (items.length < SOCIAL_PROVIDERS.length) throw new Error("Not every account was connected.");
  const ids = items.map(({ id }) => id);
  const known: KnownValues = {
    tenantKey: [tenantKey, "unregistered"],
    externalSubjectId: [SUBJECT],
    returnUrl: [application.returnUrl, application.identityReturnUrl],
    provider: SOCIAL_PROVIDERS,
    first: [1, 20, 50],
    url: ["https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
    ...{ connectionId: ids, id: ids },
    // The accounts stay connected: a disconnect gets ids that nothing has.
    "disconnectConnection.connectionId": [],
  };
  /** For the admin schema: a separate client, so that other steps keep working. */
  const adminKnown: KnownValues = { id: [await operator.clientId?.(await operator.createApplication())] };
  const { readKey, writeKey } = admin;
  const { key, webOrigin } = application;
  return {
    ...{ key, readKey, writeKey, panel, known, adminKnown, host, port: Number(port), origin: webOrigin },
    /** Strings that no response and no log line may contain. */
    secrets: [
      ...[key, readKey, writeKey].map((key) => key.slice(key.indexOf(".") + 1)),
      clientSecret,
      ...panel.cookie.split("; ").map((cookie) => cookie.replace(/^[^=]*=/, "")),
      new URL(databaseUrl).password,
    ].filter((secret) => secret.length >= 8),
    ...{ connectSession, identitySession },
    /** The cookie of a browser that returns from the provider or the issuer, and the state of its attempt. */
    browserReturn: async (session: Launch) => {
      const { location, cookie } = await launch(application, session);
      return { cookie, state: location?.searchParams.get("state") ?? "" };
    },
    /** A deauthorize callback as the provider signs it. */
    signedRequest: (payload: unknown) => {
      const text = Buffer.from(JSON.stringify(payload)).toString("base64url");
      return `${sign(text).digest("base64url")}.${text}`;
    },
    /** The header of a webhook as the provider signs it. */
    webhookHeader: (body: string) => {
      const time = Math.floor(Date.now() / 1_000);
      return `t=${time},s=${sign(`${time}.${body}`).digest("hex")}`;
    },
  };
}
