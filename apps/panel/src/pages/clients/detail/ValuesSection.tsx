import { Divider } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { PlannedTouchQueryVariables } from "../../../_generated/touched.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { PlannedTouch } from "../../../touched/PlannedTouch.tsx";
import { Section } from "../../../ui/Section.tsx";
import { ValueList, type ValueNotes } from "../../../ui/ValueList.tsx";

interface ValuesSectionProps {
  readonly title: string;
  /** For links to this section. */
  readonly id?: string;
  readonly description?: ReactNode;
  /** The name of the list, if it is not the title. */
  readonly label?: string;
  readonly values: readonly string[];
  readonly notes?: ValueNotes;
  /** Shown if the list is empty. */
  readonly empty?: string;
  /** The singular, e.g. “origin”. */
  readonly noun: string;
  /** The action that counts what a removal affects. */
  readonly touching: (value: string) => PlannedTouchQueryVariables;
  /** The consequences of a removal. */
  readonly consequences: readonly ReactNode[];
  /** The user must type the value to remove it. */
  readonly mustBeTyped?: boolean;
  readonly remove: (value: string) => Promise<unknown>;
  /** The form that adds a value. */
  readonly children: ReactNode;
}

/** A section with a form that adds values, above their list. A dialog asks before a value is removed. */
export function ValuesSection({ title, label = title, values, empty = "None.", ...props }: ValuesSectionProps) {
  const { noun, notes, touching, consequences, mustBeTyped = false, remove, children, ...section } = props;
  const [removing, setRemoving] = useState<string | null>(null);
  return (
    <Section title={title} {...section}>
      {children}
      <Divider my="md" color="var(--panel-line)" />
      <ValueList label={label} values={values} notes={notes} empty={empty} onRemove={setRemoving} />
      <ConfirmDialog
        isOpen={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove this ${noun}?`}
        consequences={[
          <strong key="value">{removing}</strong>,
          <PlannedTouch key="touch" {...touching(removing ?? "")} />,
          ...consequences,
        ]}
        nameToType={mustBeTyped ? removing : null}
        confirmLabel="Remove"
        onConfirm={() => remove(removing ?? "")}
      />
    </Section>
  );
}
