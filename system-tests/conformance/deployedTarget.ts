import { openOperator } from "../../packages/conformance/src/target/adminOperator.ts";
import { runInPanel } from "../../packages/conformance/src/target/adminScript.ts";
import { openEvents } from "../../packages/conformance/src/target/eventsInPanel.ts";
import { openStorage } from "../../packages/conformance/src/target/storageDatabase.ts";
import type { TargetFactory } from "../../packages/conformance/src/target/target.ts";
import { type DeploymentOptions, startDeployment } from "../deployment/deployment.ts";

/** A deployment of the service with all drivers of the suite. What `prepare` starts first ends last. */
export function deployedTarget(
  name: string,
  prepare: (stack: AsyncDisposableStack) => DeploymentOptions | Promise<DeploymentOptions> = () => ({}),
): TargetFactory {
  return {
    name,
    open: async () => {
      await using starting = new AsyncDisposableStack();
      const { settings, ...options } = await prepare(starting);
      const sandbox = { CLOCK: "movable", PREVIEW_ORIGIN_TEMPLATE: "http://{label}.preview.localhost:4403" };
      const deployment = starting.use(
        await startDeployment({ hasLimits: true, ...options, settings: { ...sandbox, ...settings } }),
      );
      const { admin, clock, databaseUrl, identity, provider, url } = deployment;
      const storage = await openStorage(databaseUrl);
      starting.defer(() => storage.close());
      const operator = openOperator({ admin, baseUrl: url, forgetClient: storage.driver.forgetClient });
      const application = await operator.createApplication();
      await operator.addTesters?.(application, await provider.testers());
      const { template } = await runInPanel(admin.panel, "previewTemplate", {});
      const running = starting.move();
      return {
        ...{ application, connectHost: url, clock, provider, identity, operator, admin },
        storage: storage.driver,
        events: openEvents(admin.panel),
        previewTemplate: template,
        rawSocket: true,
        close: () => running.disposeAsync(),
      };
    },
  };
}
