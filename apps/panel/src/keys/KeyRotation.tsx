import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Failure } from "../api/failure.ts";
import { ConfirmDialog } from "../forms/ConfirmDialog.tsx";
import { shortKeyId } from "../ui/labels.ts";
import { Section } from "../ui/Section.tsx";
import { serviceTime, Timestamp } from "../ui/Timestamp.tsx";
import { type RotatingKey, rotationStep, silentAt } from "./rotationStep.ts";

interface KeyRotationProps {
  readonly oldKey: RotatingKey;
  readonly newKey: RotatingKey;
  /** Who has to send the new key, e.g. “the application”. */
  readonly user: string;
  /** Reads when the old key was last used. */
  readonly readLastUse: () => Promise<string | null>;
  readonly revoke: () => Promise<unknown>;
}

/** The steps from an old key to its replacement. The page reads the keys' use at short intervals. */
export function KeyRotation({ oldKey, newKey, user, readLastUse, revoke }: KeyRotationProps) {
  const [isRevoking, setIsRevoking] = useState(false);
  const step = rotationStep(oldKey, newKey, serviceTime());
  const revokeIfSilent = async () => {
    const lastUsedAt = await readLastUse();
    if (rotationStep({ ...oldKey, lastUsedAt }, newKey, serviceTime()) !== "revoke") {
      throw new Failure({ code: "CONFLICT", message: "The old key was used in the meantime. It was not revoked." });
    }
    await revoke();
  };
  return (
    <Section title="Rotation" description="Two keys are valid, so that you can replace the old one without downtime.">
      <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: "none" }}>
        <Step isDone title="Create a new key">
          <KeyUse name="New key" rotating={newKey} />
        </Step>
        <Step isDone={step !== "deploy"} title="Deploy the new key">
          {step === "deploy"
            ? `The new key was not used yet. Store it where ${user} reads its key. If it was not saved, revoke it and rotate again.`
            : "The new key is in use."}
        </Step>
        <Step isDone={false} title="Revoke the old key">
          <KeyUse name="Old key" rotating={oldKey} />
          {step === "deploy" && (
            <Text size="sm">
              {oldKey.lastUsedAt === null
                ? "Deploy the new key first."
                : "Deploy the new key first: the old key is the only one in use."}
            </Text>
          )}
          {step === "wait" && (
            <Text size="sm">
              The old key is still in use. Wait until it has been silent for an hour:{" "}
              <Timestamp at={silentAt(oldKey).toISOString()} />, unless it is used again.
            </Text>
          )}
          {step === "revoke" && (
            <Group gap="sm">
              <Text size="sm" fw={600}>
                {oldKey.lastUsedAt === null
                  ? "The old key was never used: revoke it."
                  : "The old key has been silent for an hour: revoke it."}
              </Text>
              <Button size="compact-sm" onClick={() => setIsRevoking(true)}>
                Revoke the old key
              </Button>
            </Group>
          )}
        </Step>
      </Stack>
      <ConfirmDialog
        isOpen={isRevoking}
        onClose={() => setIsRevoking(false)}
        title={`Revoke the old key ${shortKeyId(oldKey.id)}?`}
        consequences={[
          "It affects 1 key. Requests with this key are rejected immediately. A revoked key cannot be restored.",
          <span key="new">
            The new key {shortKeyId(newKey.id)} was last used <Timestamp at={newKey.lastUsedAt} />.
          </span>,
          "If the old key is used before you confirm, nothing is revoked.",
        ]}
        nameToType={null}
        confirmLabel="Revoke key"
        onConfirm={revokeIfSilent}
      />
    </Section>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ isDone, title, children }: StepProps) {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <Group component="li" gap="sm" py={8} align="flex-start" wrap="nowrap">
      <Icon
        size={20}
        stroke={1.7}
        role="img"
        aria-label={isDone ? "Done" : "Open"}
        color={isDone ? "light-dark(#127558, #5fcfab)" : "var(--mantine-color-dimmed)"}
      />
      <div>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" component="div">
          {children}
        </Text>
      </div>
    </Group>
  );
}

function KeyUse({ name, rotating: { id, lastUsedAt } }: { readonly name: string; readonly rotating: RotatingKey }) {
  return (
    <Text size="sm" c="dimmed">
      {name} <Code translate="no">{shortKeyId(id)}</Code>, last used: <Timestamp at={lastUsedAt} />
    </Text>
  );
}
