import { createHmac } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import type { DevFile } from "../../apps/server/src/dev/devFile.ts";
import { readDevSecrets } from "../../apps/server/src/dev/devSecrets.ts";
import type { Operations } from "../../packages/conformance/src/_generated/consumerWire.ts";
import type { PanelSession } from "../../packages/conformance/src/target/adminDriver.ts";
import { AdminScript } from "../../packages/conformance/src/target/adminScript.ts";
import { openTargetFile } from "../../packages/conformance/src/target/devFile.ts";
import type { Target } from "../../packages/conformance/src/target/target.ts";
import { Browser } from "../../packages/conformance/src/wire/browser.ts";
import { ApiCaller } from "../../packages/conformance/src/wire/call.ts";
import { invoke, type OperationName } from "../../packages/conformance/src/wire/documents.ts";
import { SOCIAL_PROVIDERS, type SocialProvider } from "../../packages/contract/src/index.ts";
import type { KnownValues } from "./documents.ts";
import type { Random } from "./random.ts";

export const PROVIDERS = SOCIAL_PROVIDERS;
const NO_NOTES = { see: () => {}, secret: () => {} };

/** What a browser sends when it returns from a provider. */
export interface BrowserReturn {
  readonly target: string;
  readonly cookie: string;
}

/** The environment under test, and helpers that prepare its flows. */
export class World {
  readonly dev: DevFile;
  readonly port: number;
  readonly host: string;
  /** For the consumer API. */
  readonly known: KnownValues;
  /** For the admin schema: a separate client, so that other steps keep working. */
  readonly adminKnown: KnownValues = {};
  readonly panel: PanelSession;
  /** Strings that no response and no log line may contain. */
  readonly secrets: readonly string[];
  readonly #target: Target;
  readonly #pool: pg.Pool;
  readonly #providerClientSecret: string;

  private constructor(
    dev: DevFile,
    target: Target,
    panel: PanelSession,
    known: KnownValues,
    secrets: readonly string[],
    providerClientSecret: string,
  ) {
    this.dev = dev;
    this.#pool = new pg.Pool({ connectionString: dev.databaseUrl, max: 1 });
    this.#target = target;
    this.panel = panel;
    this.known = known;
    this.secrets = secrets;
    this.#providerClientSecret = providerClientSecret;
    const { port, host } = new URL(dev.consumer.baseUrl);
    this.port = Number(port);
    this.host = host;
  }

  static async open(dataFolder: string, dev: DevFile): Promise<World> {
    const [target, secrets] = await Promise.all([
      openTargetFile(join(dataFolder, "dev.json")),
      readDevSecrets(dataFolder),
    ]);
    const panel = await target.admin?.panel?.session?.();
    if (panel === undefined) throw new Error("The admin cannot sign in to the panel.");
    const [tenantKey = ""] = dev.consumer.tenantKeys;
    const keys = [secrets.applicationKey, secrets.otherApplicationKey, secrets.readKey, secrets.writeKey];
    const password = new URL(dev.databaseUrl).password;
    const world = new World(
      dev,
      target,
      panel,
      {
        tenantKey: [tenantKey, "unregistered"],
        externalSubjectId: ["fuzz-subject"],
        returnUrl: [dev.consumer.returnUrl, dev.consumer.identityReturnUrl],
        provider: PROVIDERS,
        first: [1, 20, 50],
        url: ["https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
      },
      [
        ...keys.map(({ secret }) => secret),
        secrets.providerClientSecret,
        secrets.issuerClientSecret,
        ...panel.cookie.split("; ").map((cookie) => cookie.replace(/^[^=]*=/, "")),
        ...(password.length >= 8 ? [password] : []),
      ],
      secrets.providerClientSecret,
    );
    await world.#connectAccounts();
    Object.assign(world.adminKnown, { id: [await world.#createClient()] });
    return world;
  }

  /** One account at each provider, so that reads find something. */
  async #connectAccounts(): Promise<void> {
    const { provider: driver } = this.#target;
    if (driver === undefined) throw new Error("The setup has no simulator.");
    for (const provider of PROVIDERS) {
      const accounts = (await driver.testers()).filter((one) => one.provider === provider);
      const [account] = accounts;
      if (account === undefined) throw new Error(`${provider} has no tester.`);
      const session = await this.connectSession(provider, "fuzz-subject");
      const { location, cookie } = await this.launch(session.launchUrl, session.launchToken);
      const back = await driver.consent(location, { account: account.account });
      await fetch(back, { headers: { cookie }, redirect: "manual" });
    }
    const connections = await this.#call("connections", { scope: this.scope("fuzz-subject"), first: null });
    if (connections.items.length < PROVIDERS.length) throw new Error("Not every account was connected.");
    const ids = connections.items.map(({ id }) => id);
    // The accounts stay connected: a disconnect gets ids that nothing has.
    Object.assign(this.known, { connectionId: ids, id: ids, "disconnectConnection.connectionId": [] });
  }

  async #createClient(): Promise<string> {
    const origin = "https://fuzz.example";
    const input = {
      slug: `fuzz-${Date.now()}`,
      displayName: "Fuzz",
      webOrigins: [origin],
      returnUrls: [`${origin}/return`],
      tenantKeys: ["fuzz"],
      providers: PROVIDERS,
      capabilities: ["PROFILE"],
      confirmedNoOnwardRedirect: true,
    };
    if (this.#target.admin === undefined) throw new Error("The setup has no admin.");
    return (await new AdminScript(this.#target.admin, undefined).withKey("createClient", { input })).id;
  }

  scope(externalSubjectId: string) {
    return { tenantKey: this.dev.consumer.tenantKeys[0] ?? "", externalSubjectId };
  }

  async #call<Name extends OperationName>(name: Name, args: unknown): Promise<Operations[Name]["answer"]> {
    const { baseUrl, key } = this.dev.consumer;
    const outcome = await invoke(new ApiCaller({ baseUrl, key, notes: NO_NOTES }), name, args);
    if (!outcome.ok) throw new Error(`The environment rejected ${name}: ${outcome.message}`);
    return outcome.value;
  }

  async connectSession(provider: SocialProvider, externalSubjectId: string) {
    const input = {
      scope: this.scope(externalSubjectId),
      provider,
      capabilities: ["PROFILE", "CONTENT_LIST"],
      returnUrl: this.dev.consumer.returnUrl,
    };
    const create = () => this.#call("createConnectSession", { input });
    // An application may leave 2,000 attempts unfinished in ten minutes.
    const expire = "UPDATE connect_attempt SET expires_at = created_at";
    return create().catch(() => this.#pool.query(expire).then(create));
  }

  async identitySession(): Promise<{ launchUrl: string; launchToken: string }> {
    const input = { tenantKey: this.dev.consumer.tenantKeys[0], returnUrl: this.dev.consumer.identityReturnUrl };
    const create = () => this.#call("createIdpIdentitySession", { input });
    // Most attempts are never finished, and 20 of them are the limit.
    const expire = "UPDATE identity_attempt SET expires_at = created_at";
    return create().catch(() => this.#pool.query(expire).then(create));
  }

  /** Posts a launch form as the application's page does. */
  async launch(launchUrl: string, launchToken: string): Promise<{ location: string; cookie: string }> {
    const browser = new Browser(NO_NOTES);
    const { origin } = new URL(this.dev.consumer.returnUrl);
    const { location } = await browser.post(launchUrl, { launchToken }, origin);
    return { location: location?.href ?? "", cookie: browser.cookieHeader };
  }

  /** A browser on a consent page, and its redirect with a code that was never issued. */
  async providerReturn(provider: SocialProvider, random: Random): Promise<BrowserReturn> {
    const session = await this.connectSession(provider, `fuzz-${random.hex(12)}`);
    const { location, cookie } = await this.launch(session.launchUrl, session.launchToken);
    return { target: this.#returnOf(location, `/api/connect/callback/${slugOf(provider)}`, random), cookie };
  }

  async identityReturn(random: Random): Promise<BrowserReturn> {
    const session = await this.identitySession();
    const { location, cookie } = await this.launch(session.launchUrl, session.launchToken);
    return { target: this.#returnOf(location, "/api/identity/callback", random), cookie };
  }

  #returnOf(location: string, path: string, random: Random): string {
    const state = location === "" ? random.hex(32) : (new URL(location).searchParams.get("state") ?? "");
    return `${path}?${new URLSearchParams({ code: random.hex(24), state })}`;
  }

  /** A deauthorize callback as the provider signs it. */
  signedRequest(payload: object): string {
    const text = Buffer.from(JSON.stringify(payload)).toString("base64url");
    const signature = createHmac("sha256", this.#providerClientSecret).update(text).digest("base64url");
    return `${signature}.${text}`;
  }

  /** A webhook as the provider signs it. */
  webhook(body: string): { readonly header: string; readonly body: Buffer } {
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac("sha256", this.#providerClientSecret).update(`${time}.${body}`).digest("hex");
    return { header: `t=${time},s=${signature}`, body: Buffer.from(body) };
  }

  async close(): Promise<void> {
    await this.#pool.end();
    await this.#target.close?.();
  }
}

export function slugOf(provider: SocialProvider): string {
  return provider.toLowerCase().replace("_", "-");
}
