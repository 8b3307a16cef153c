import type { TaskName } from "../modules/service.ts";
import type { TaskDefinition } from "./kit.ts";
import { eraseTask } from "./tasks/erase.ts";
import { lookupTask } from "./tasks/lookup.ts";
import { metricsTask } from "./tasks/metrics.ts";
import { profileTask } from "./tasks/profile.ts";
import { recheckTask } from "./tasks/recheck.ts";
import { revokeTask } from "./tasks/revoke.ts";
import { revokeOrphanedGrantTask } from "./tasks/revokeOrphanedGrant.ts";
import { scanTask } from "./tasks/scan.ts";

/** Every task by its name. */
export const TASKS: Readonly<Record<TaskName, TaskDefinition>> = {
  scan: scanTask,
  metrics: metricsTask,
  lookup: lookupTask,
  profile: profileTask,
  recheck: recheckTask,
  revoke: revokeTask,
  erase: eraseTask,
  revokeOrphanedGrant: revokeOrphanedGrantTask,
};
