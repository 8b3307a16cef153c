/** A worker in its own process. Reports when it has started, and stops when its parent disconnects. */
import { startWorker } from "../../../apps/server/src/worker/worker.ts";
import { openJobService, type Shared } from "./jobService.ts";

const shared = JSON.parse(process.argv[2] ?? "") as Shared;
const service = await openJobService(shared);
const worker = await startWorker(service);
process.once("disconnect", async () => {
  await worker.stop();
  await service.close();
});
process.send?.("started");
