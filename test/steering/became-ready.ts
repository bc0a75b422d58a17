import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";

const namesIn = (text: string): readonly string[] => text.match(/web-\w+-\w+/g) ?? [];

/**
 * Whether all victims that a `ScaleDownDiffers` message says were spared were not ready when the decision was made: they
 * have become ready before the stock controller acted, which no cost can prevent, whatever rule told them from the others.
 */
export function sparedBecameReady(
  message: string,
  records: readonly Pick<RemovalRecord, "candidates" | "rules">[],
): boolean {
  const [decided = "", removed = ""] = message.split("; removed ");
  const spared = namesIn(decided.split(": decided ")[1] ?? "").filter(
    (name) => !namesIn(removed).includes(name),
  );
  const unreadyVictims = records.flatMap(({ candidates, rules }) => {
    const rule = rules.findIndex(({ name }) => name === "not-ready");
    return candidates.filter(({ verdict, keys }) => verdict === "goes" && keys[rule] === 0);
  });
  return spared.every((name) => unreadyVictims.some(({ pod }) => pod === name));
}

/** Whether a `ScaleDownDiffers` message names costs as its cause, all of which users have set. */
export function costsWereSet(message: string, byUsers: ReadonlySet<string>): boolean {
  const [, repriced = ""] = /since others changed the costs of ([^:]*):/.exec(message) ?? [];
  const names = namesIn(repriced);
  return names.length > 0 && names.every((name) => byUsers.has(name));
}
