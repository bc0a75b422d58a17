import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";

/**
 * Whether all victims that a `ScaleDownDiffers` message says were spared were to go because they were not ready: they
 * have become so between the decision and the moment in which the stock controller acted, which no cost can prevent.
 */
export function sparedBecameReady(
  message: string,
  records: readonly Pick<RemovalRecord, "candidates">[],
): boolean {
  const [decided = "", removed = ""] = message.split("; removed ");
  const names = (text: string): readonly string[] => text.match(/web-\w+-\w+/g) ?? [];
  const spared = names(decided.split(": decided ")[1] ?? "").filter((name) => !names(removed).includes(name));
  const unready = new Set<string | undefined>(["unassigned", "phase", "not-ready"]);
  const verdicts = records.flatMap(({ candidates }) => candidates);
  return spared.every((name) =>
    verdicts.some(
      ({ pod, verdict, because }) => pod === name && verdict === "goes" && unready.has(because?.rule),
    ),
  );
}
