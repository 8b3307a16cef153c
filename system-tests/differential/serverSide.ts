import { openEvents } from "../../packages/conformance/src/target/eventsInPanel.ts";
import { openPanelOverHttp } from "../../packages/conformance/src/target/panelOverHttp.ts";
import { control } from "../../packages/testkit/src/simulatorControl.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { ACCOUNTS_AGE_MS } from "./mockSide.ts";
import { quiesce, remember } from "./serverDatabase.ts";
import type { Leader } from "./steps/side.ts";

/** The server as a deployment, whose clock leads. */
export async function openServerSide(
  jitter: number,
): Promise<Leader & AsyncDisposable & { readonly previewTemplate: string }> {
  await using starting = new AsyncDisposableStack();
  const previewTemplate = "http://{label}.preview.localhost:5803";
  const settings = { CLOCK: "movable", JITTER: String(jitter), PREVIEW_ORIGIN_TEMPLATE: previewTemplate };
  const deployment = starting.use(await startDeployment({ settings, hasLimits: true }));
  const { clock, identity, issuerUrl, provider, simulatorUrl, url } = deployment;
  const events = openEvents(deployment.admin.panel);
  await clock.advance(ACCOUNTS_AGE_MS);
  await quiesce(deployment);
  const restore = await remember(deployment);
  const running = starting.move();
  return {
    name: "server",
    baseUrl: url,
    previewTemplate,
    fetch: globalThis.fetch,
    provider,
    identity,
    panel: (person) => openPanelOverHttp({ adminHost: url, identity }, person),
    events: {
      ...events,
      addEndpoint: async (...endpoint) => {
        const added = await events.addEndpoint(...endpoint);
        // The mocks' controls act in place of an admin, and record nothing.
        await deployment.database.query("DELETE FROM audit_entry WHERE action = 'Event endpoint added'");
        return added;
      },
    },
    addresses: {
      [issuerUrl]: "{issuer}",
      [url]: "{service}",
      [simulatorUrl]: "{provider}",
      "client id deploy…": "{client}",
    },
    now: () => clock.now(),
    begin: async () => {
      await quiesce(deployment);
      await restore();
      await control(simulatorUrl, "POST", "/reset", {});
      await control(simulatorUrl, "POST", "/clock", { set: (await clock.now()).toISOString() });
    },
    quiesce: () => quiesce(deployment),
    advance: (ms) => clock.advance(ms),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
