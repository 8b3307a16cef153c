import type { ReactNode } from "react";
import { useState } from "react";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { ValueList } from "../../../ui/ValueList.tsx";

interface RemovableValuesProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly empty: string;
  /** What one of them is, e.g. “origin”. */
  readonly noun: string;
  /** What will happen when one is taken away. */
  readonly consequences: readonly ReactNode[];
  /** The value has to be typed before it goes. */
  readonly mustBeTyped?: boolean;
  readonly remove: (value: string) => Promise<unknown>;
}

/** A list whose values go after a question. */
export function RemovableValues(props: RemovableValuesProps) {
  const { label, values, empty, noun, consequences, mustBeTyped = false, remove } = props;
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
