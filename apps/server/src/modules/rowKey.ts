/**
 * The key of a row in a table that grows. Every statement on these tables that works inside one application has the
 * application's id as a parameter, so that a distributed database sends it to one node.
 */
export interface RowKey {
  readonly id: string;
  readonly applicationId: string;
}

/** A row's key as Prisma expects it. */
export function keyOf({ id, applicationId }: RowKey): { readonly id_applicationId: RowKey } {
  return { id_applicationId: { id, applicationId } };
}
