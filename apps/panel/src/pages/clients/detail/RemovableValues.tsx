import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { ValueList } from "../../../ui/ValueList.tsx";

interface RemovableValuesProps {
  readonly label: string;
  readonly values: readonly string[];
  /** Shown if the list is empty. */
  readonly empty?: string;
  /** The singular, e.g. “origin”. */
  readonly noun: string;
  /** The consequences of a removal. */
  readonly consequences: readonly ReactNode[];
  /** The user must type the value to remove it. */
  readonly mustBeTyped?: boolean;
  readonly remove: (value: string) => Promise<unknown>;
}

/** A list whose values are removed with a confirmation dialog. */
export function RemovableValues(props: RemovableValuesProps) {
  const { label, values, empty = "None.", noun, consequences, mustBeTyped = false, remove } = props;
  const [removing, setRemoving] = useState<string | null>(null);
  return (
    <>
      <ValueList label={label} values={values} empty={empty} onRemove={setRemoving} />
      <ConfirmDialog
        isOpen={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove this ${noun}?`}
        consequences={[<strong key="value">{removing}</strong>, ...consequences]}
        nameToType={mustBeTyped ? removing : null}
        confirmLabel="Remove"
        onConfirm={() => remove(removing ?? "")}
      />
    </>
  );
}
