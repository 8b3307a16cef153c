/** The steps of creating a client, in order, with their fields. */
export const STEPS = [
  { name: "name", title: "Name", fields: ["displayName", "slug"] },
  { name: "origins", title: "Origins", fields: ["webOrigins"] },
  { name: "return-urls", title: "Return URLs", fields: ["returnUrls", "confirmedNoOnwardRedirect"] },
  { name: "tenants", title: "Tenants", fields: ["tenantKeys"] },
  { name: "policy", title: "Permissions", fields: ["providers", "capabilities"] },
  { name: "review", title: "Review", fields: [] },
] as const;

export type Step = (typeof STEPS)[number];
export type StepName = Step["name"];

export function stepNamed(name: unknown): StepName | null {
  return STEPS.find((step) => step.name === name)?.name ?? null;
}

export function stepOfField(field: string): StepName {
  return STEPS.find(({ fields }) => (fields as readonly string[]).includes(field))?.name ?? "name";
}
