import { type TargetName, targets } from "../test/fuzz/targets.ts";
import { wideInputs } from "../test/fuzz/wide-inputs.cases.ts";
import { type Measure, medianMs } from "./measure.ts";

const parts = 8000;

/** Reading what others write: for every reader, the wide input that takes longest per byte. */
export function reading(): readonly Measure[] {
  const slowest = new Map<TargetName, { readonly name: string; readonly value: number }>();
  for (const { name, targets: names, of } of wideInputs) {
    const input = Buffer.from(of(parts));
    for (const target of names) {
      const value = (medianMs(() => targets[target](input), 3) * 1000) / (input.length / 1000);
      if (value > (slowest.get(target)?.value ?? 0)) slowest.set(target, { name, value });
    }
  }
  return [...slowest].map(([target, { name, value }]) => ({
    what: `${target}, a kilobyte of ${name}`,
    value,
    unit: "µs",
  }));
}
