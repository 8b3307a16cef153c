import { isObject, type Validator } from "@social-connect/sdk-core";
import type { Node, ParsedDocument } from "./parseDocument.ts";

interface Field {
  isOptional: boolean;
  /** What each selection of the field selects; empty for a scalar. */
  readonly nodes: Node[];
}

/**
 * Whether a value has the shape that a document selects: objects and lists of objects where it selects fields, and scalars
 * elsewhere. Any of them may be null. Other fields are deleted in place. The types of scalars are not known here.
 *
 * A fragment always applies, because the schema has no unions and no interfaces.
 */
export function shapeOf(nodes: readonly Node[], document: ParsedDocument): Validator {
  const fields = new Map<string, Field>();
  const collect = (selection: readonly Node[], isWithinOptional: boolean) => {
    for (const { field, alias, spread, isOptional, nodes: inner } of selection) {
      const mayBeMissing = isWithinOptional || isOptional;
      if (field === undefined) {
        collect(spread === undefined ? inner : (document.fragments.get(spread) ?? []), mayBeMissing);
        continue;
      }
      const known = fields.get(alias ?? field) ?? { isOptional: true, nodes: [] };
      known.isOptional &&= mayBeMissing;
      known.nodes.push(...inner);
      fields.set(alias ?? field, known);
    }
  };
  collect(nodes, false);
  const validators = [...fields].map(([name, { isOptional, nodes: inner }]) => {
    const isValid = inner.length === 0 ? isScalar : shapeOf(inner, document);
    return { name, isOptional, isValid: orList(isValid) };
  });
  return (value) => {
    if (!isObject(value)) return false;
    for (const name of Object.keys(value)) if (!fields.has(name)) Reflect.deleteProperty(value, name);
    return validators.every(({ name, isOptional, isValid }) =>
      Object.hasOwn(value, name) ? isValid(Reflect.get(value, name)) : isOptional,
    );
  };
}

function orList(isValid: Validator): Validator {
  return (value) => value === null || (Array.isArray(value) ? value.every((each) => isValid(each)) : isValid(value));
}

const isScalar: Validator = (value) => typeof value !== "object" || value === null;
