import { type App, jsonResponse } from "../shared/http.ts";
import type { World } from "../state/world.ts";
import { missing, withInput } from "./handling.ts";
import { faultInput } from "./inputs.ts";

/** Routes for faults, each of which applies to an endpoint and a number of calls. */
export function faultRoutes(app: App, world: World): void {
  app.get("/faults", () => jsonResponse({ faults: world.faults.list() }));
  app.post("/faults", (call) =>
    withInput(call, faultInput, ({ count, ...rule }) =>
      jsonResponse(world.faults.add({ ...rule, remaining: count }), 201),
    ),
  );
  app.delete("/faults", () => {
    world.faults.clear();
    return jsonResponse({ cleared: true });
  });
  app.delete("/faults/:id", (call) =>
    world.faults.remove(call.req.param("id")) ? jsonResponse({ removed: true }) : missing("Unknown fault."),
  );
}
