/** Runs checks of recipes in a scratch copy, on each target: `run.ts NAME …` */
import { forEachTarget, type Target } from "./targets.ts";

const checks = await Promise.all(
  process.argv.slice(2).map(async (name): Promise<(target: Target) => Promise<void>> => {
    const { default: check } = await import(`./${name}.ts`);
    return check;
  }),
);
await forEachTarget(async (target) => {
  for (const check of checks) await check(target);
});
