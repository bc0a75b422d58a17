import type { Comparison, Skew } from "./compare-spreads.ts";
import { clusterKinds } from "./random-cluster.ts";

/** How many clusters are compared. */
export const clusterCount = 500;

const heading = "cluster\tzone, defaults\tzone, SelectorSpread\thost, defaults\thost, SelectorSpread\tkind";

/** The skews of every cluster, a line each. */
export function writeGolden(comparisons: readonly Comparison[]): string {
  const lines = comparisons.map(({ kind, defaults, selectorSpread }, index) =>
    [index, defaults.zone, selectorSpread.zone, defaults.host, selectorSpread.host, kind].join("\t"),
  );
  return `${[heading, ...lines].join("\n")}\n`;
}

/** Reads what `writeGolden` wrote. */
export function readGolden(text: string): readonly Comparison[] {
  const lines = text.trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const [, zone, otherZone, host, otherHost, kindName] = line.split("\t");
    const kind = clusterKinds.find((each) => each === kindName);
    if (kind === undefined) throw new Error(`no kind of cluster: ${line}`);
    return {
      kind,
      defaults: { zone: Number(zone), host: Number(host) },
      selectorSpread: { zone: Number(otherZone), host: Number(otherHost) },
    };
  });
}

/** The comparison as a readable table: means, and the worst values in brackets. */
export function summaryTable(comparisons: readonly Comparison[]): string {
  const rows = [...clusterKinds, "all"].map((kind) => {
    const those = comparisons.filter((each) => kind === "all" || each.kind === kind);
    const cells = [kind, those.length, ...skewCells(those, "zone"), ...skewCells(those, "host")];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| clusters | number | zone skew, defaults | zone skew, SelectorSpread | host skew, defaults | host skew, SelectorSpread |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function skewCells(comparisons: readonly Comparison[], of: keyof Skew): readonly string[] {
  return [
    comparisons.map(({ defaults }) => defaults[of]),
    comparisons.map(({ selectorSpread }) => selectorSpread[of]),
  ].map((skews) => `${meanOf(skews).toFixed(2)} (${Math.max(...skews)})`);
}

/** The arithmetic mean. */
export function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
