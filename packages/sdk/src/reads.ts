import {
  CALL_OPTIONS,
  type CallOptions,
  Paged,
  refuseUnknownNames,
  type WithResponse,
  wholeNumber,
} from "@social-connect/sdk-core";
import { type SelectableRead, selectedRead } from "./select.ts";
import { exchange } from "./wire/call.ts";
import type { Settings } from "./wire/settings.ts";

/** Options of every list. */
export interface ListOptions extends CallOptions {
  /** The number of items in a page. */
  readonly pageSize?: number | undefined;
}

export type ReadOptions = CallOptions & { readonly select?: unknown };

export interface AnyPage {
  readonly items: readonly unknown[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Which page to read, as the API names it. */
export interface PageArguments {
  readonly first?: number;
  readonly after: string | undefined;
}

type Variables<Operation extends SelectableRead> = Parameters<typeof exchange<Operation>>[2];
type Reader = (variables: object, options: CallOptions) => Promise<WithResponse<unknown>>;

/** Reads one object, with all fields or the selected ones. */
export async function readOne<Operation extends "connection" | "contentItem">(
  settings: Settings,
  operation: Operation,
  variables: Variables<Operation>,
  options: ReadOptions,
): Promise<WithResponse<unknown>> {
  refuseUnknownNames("options", options, [...CALL_OPTIONS, "select"], operation);
  const { select, ...rest } = options;
  return readerOf(settings, operation, select)(variables, rest);
}

/** Reads a list. Options are checked immediately, although the first page is read later. */
export function readPages<Operation extends "connections" | "content">(
  settings: Settings,
  operation: Operation,
  variablesOf: (page: PageArguments) => Variables<Operation>,
  options: ListOptions & ReadOptions,
  mostItems: number,
): Paged<unknown, AnyPage> {
  refuseUnknownNames("options", options, [...CALL_OPTIONS, "select", "pageSize"], operation);
  const { pageSize: first, select, ...rest } = options;
  if (first !== undefined) wholeNumber("pageSize", first, 1, operation, mostItems);
  const read = readerOf(settings, operation, select);
  const load = (after: string | undefined, pageOptions: CallOptions) =>
    read(variablesOf({ ...(first !== undefined && { first }), after }), pageOptions);
  return new Paged(operation, load as (...args: Parameters<typeof load>) => Promise<WithResponse<AnyPage>>, rest);
}

function readerOf(settings: Settings, operation: SelectableRead, select: unknown): Reader {
  if (select !== undefined) return selectedRead(settings, operation, select);
  return (variables, options) => exchange(settings, operation, variables as never, options);
}
