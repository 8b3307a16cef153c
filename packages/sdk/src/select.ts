import {
  type CallOptions,
  ConfigurationError,
  refuseUnknownNames,
  selectionOf,
  type Validator,
  type WithResponse,
} from "@social-connect/sdk-core";
import { HEADS } from "./_generated/documents.ts";
import { ANSWERS } from "./_generated/validators.ts";
import { sendOwn } from "./wire/call.ts";
import { mayRepeat } from "./wire/retryRules.ts";
import type { Settings } from "./wire/settings.ts";

/** An object, or the objects of a list; not null. */
type ObjectIn<Value> = NonNullable<Value> extends readonly (infer Item)[] ? Item : NonNullable<Value>;

/** Which fields of a type to read: `true` for a field, or a selection of its fields. */
export type Selection<Type> = {
  readonly [Name in keyof Type]?: ObjectIn<Type[Name]> extends object ? true | Selection<ObjectIn<Type[Name]>> : true;
};

/** A selection without misspelled fields. */
export type ExactSelection<Type, Chosen> = {
  readonly [Name in keyof Chosen]: Name extends keyof Type
    ? Chosen[Name] extends true
      ? true
      : ExactSelection<ObjectIn<Type[Name]>, Chosen[Name]>
    : never;
};

/** A type with the selected fields only. */
export type Selected<Type, Chosen> = {
  readonly [Name in keyof Chosen & keyof Type]: Chosen[Name] extends true
    ? Type[Name]
    : SelectedWithin<Type[Name], Chosen[Name]>;
};

type SelectedWithin<Value, Chosen> = Value extends null
  ? null
  : Value extends readonly (infer Item)[]
    ? readonly Selected<Item, Chosen>[]
    : Selected<Value, Chosen>;

/** A page whose items have the selected fields only. */
export type SelectedPage<Page extends { readonly items: readonly unknown[] }, Chosen> = {
  readonly [Name in keyof Page]: Name extends "items" ? readonly Selected<Page["items"][number], Chosen>[] : Page[Name];
};

/** The option of reads that return only some fields. */
export interface Select<Type, Chosen> {
  /** The fields to read, for example `{ title: true, metrics: { name: true, value: true } }`; all by default. */
  readonly select: Chosen & ExactSelection<Type, Chosen>;
}

/** A read that can be made with a selection. */
export type SelectableRead = "connection" | "connections" | "content" | "contentItem";

/**
 * Returns the function that reads the selected fields. The selection of a page is that of its items. Throws
 * ConfigurationError for a field that the type does not have, before anything is sent.
 */
export function selectedRead(settings: Settings, operation: SelectableRead, selection: unknown) {
  const whole: Validator = ANSWERS[operation];
  const { items } = { ...whole.fields };
  const isValid =
    items === undefined
      ? selected(whole, selection, "select")
      : withFields(whole, { ...whole.fields, items: selected(items, selection, "select") });
  const text = `${HEADS[operation]}${selectionOf(isValid)}}`;
  return async (variables: object, options?: CallOptions): Promise<WithResponse<unknown>> => {
    const { data, response } = await sendOwn(
      settings,
      {
        operation,
        mayRepeat: (error) => mayRepeat(operation, error),
        document: text,
        variables,
        isValid: (value) => isValid(Reflect.get(Object(value), operation)),
      },
      options,
    );
    return { data: data[operation], response };
  };
}

function selected(of: Validator, selection: unknown, path: string): Validator {
  const fields = { ...of.fields };
  const chosen: Record<string, Validator> = {};
  refuseUnknownNames(path, selection as object, Object.keys(fields));
  for (const [name, choice] of Object.entries(Object(selection))) {
    const field = fields[name];
    if (field === undefined || choice === undefined) continue;
    const at = `${path}.${name}`;
    if (choice !== true && !field.fields) throw new ConfigurationError(`${at} must be true.`);
    chosen[name] = choice === true ? field : selected(field, choice, at);
  }
  if (Object.keys(chosen).length === 0) throw new ConfigurationError(`${path} must select at least one field.`);
  return withFields(of, chosen);
}

function withFields(of: Validator, fields: Readonly<Record<string, Validator>>): Validator {
  return of.withFields?.(fields) ?? of;
}
