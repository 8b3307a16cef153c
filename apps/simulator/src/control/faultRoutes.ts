import type { App } from "../shared/http.ts";
import { jsonAnswer } from "../shared/http.ts";
import type { World } from "../state/world.ts";
import { missing, withInput } from "./handling.ts";
import { faultInput } from "./inputs.ts";

/** Faults by endpoint, each good for a number of calls. */
export function faultRoutes(app: App, world: World): void {
  app.get("/faults", () => jsonAnswer({ faults: world.faults.list() }));
  app.post("/faults", (call) =>
    withInput(call, faultInput, ({ provider, endpoint, account, fault, count }) => {
      const rule = world.faults.add({
        provider,
        endpoint,
        fault,
        remaining: count,
        ...(account !== undefined && { account }),
      });
      return jsonAnswer(rule, 201);
    }),
  );
  app.delete("/faults", () => {
    world.faults.clear();
    return jsonAnswer({ cleared: true });
  });
  app.delete("/faults/:id", (call) =>
    world.faults.remove(call.req.param("id")) ? jsonAnswer({ removed: true }) : missing("There is no such fault."),
  );
}
