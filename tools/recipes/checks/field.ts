/** Runs in a scratch copy after the field recipe: the value reaches a caller of the SDK, from the simulator's wire and from the mocks. */
import assert from "node:assert/strict";
import { forEachTarget, linkAndRead } from "./targets.ts";

const HAS_FIELD = { PROVIDER_A: true, PROVIDER_B: true, PROVIDER_C: false } as const;

await forEachTarget(async (target) => {
  for (const provider of ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const) {
    const { posts } = await linkAndRead(target, provider, ["CONTENT_LIST"]);
    const values = posts.map((post) => Reflect.get(post, "durationSeconds"));
    assert(values.every((value) => value === null || typeof value === "number"));
    assert.equal(
      values.some((value) => typeof value === "number" && value > 0),
      HAS_FIELD[provider],
      `${provider}: ${values.join(", ")}`,
    );
  }
});
