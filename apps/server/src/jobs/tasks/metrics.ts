import { runMetricsRefresh } from "../../modules/sync/runMetricsRefresh.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const metricsTask = defineTask({
  name: "metrics",
  lane: "read",
  payload: rowPayload,
  run: (service, { id }) => runMetricsRefresh(service, id),
});
