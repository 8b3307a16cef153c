/** After the field recipe: values of each type reach a caller of the SDK, from the simulator's wire and from the mocks. */
import assert from "node:assert/strict";
import { linkAndRead } from "../../linkAccount.ts";
import type { Target } from "./targets.ts";

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isList = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string" && item !== "");
/** What a value of each field is that is not null. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  durationSeconds: (value) => Number.isInteger(value) && Number(value) > 0,
  aspectRatio: (value) => Number.isFinite(value) && !Number.isInteger(value),
  isUpright: (value) => typeof value === "boolean",
  publishedOn: (value) => ISO_TIME.test(String(value)),
  coverKind: (value) => value === "IMAGE",
  words: isList,
};

export default async function check(target: Target): Promise<void> {
  for (const provider of ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const) {
    const { posts } = await linkAndRead(target, {
      provider,
      capabilities: ["CONTENT_LIST"],
      externalSubjectId: `field-${provider}`,
    });
    for (const [field, isOfType] of Object.entries(FIELDS)) {
      const values = posts.map((post) => Reflect.get(post, field)).filter((value) => value !== null);
      assert(values.every(isOfType), `${provider}.${field}: ${JSON.stringify(values)}`);
      assert.equal(values.length > 0, provider === "PROVIDER_B", `${provider}.${field} of ${posts.length} posts`);
    }
  }
}
