import type { Made, StepDifference } from "./runSequence.ts";

const MOST_DIFFERENCES = 12;
const MOST_CHARACTERS = 1_200;

/** A difference for people: how to see it again, the steps that lead to it, and the answers. */
export function differenceText(name: string, length: number, difference: StepDifference): string {
  const { differences, follower, leader, step, steps } = difference;
  return [
    `The server and the mocks differ. Seed ${name}; again: pnpm test:system differential --seed ${name} --steps ${length}`,
    "",
    "Steps:",
    ...steps.map((one) => `  ${stepText(one)}`),
    "",
    `Different at step ${step?.n}:`,
    ...differences
      .slice(0, MOST_DIFFERENCES)
      .flatMap(({ path, ...values }) => [
        `  ${path}`,
        `    server: ${shortened(values.leader)}`,
        `    mocks:  ${shortened(values.follower)}`,
      ]),
    "",
    `Server's answer: ${shortened(leader)}`,
    `Mocks' answer:   ${shortened(follower)}`,
  ].join("\n");
}

function stepText({ n, do: kind, args }: Made): string {
  return `${String(n).padStart(3)} ${kind} ${JSON.stringify(args)}`;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
