import type { OwnerRemoval } from "./explain-scale-down.ts";
import type { RankedPod } from "./rank-candidates.ts";

/** What each rule compares, for readers who see their names for the first time. */
const meanings: Readonly<Record<string, string>> = {
  unassigned: "Pods without a node go first: nothing runs yet",
  phase: "Pending Pods go before Unknown ones, and these before Running ones",
  "not-ready": "Pods that are not Ready go first: they serve no requests",
  "deletion-cost": "a lower controller.kubernetes.io/pod-deletion-cost goes first",
  preferred: "Pods with the label kubernetes.io/prefer-for-scale-down go first",
  picker: "Pods that the pod picker chose go first",
  spread: "Pods whose removal leaves the workload spread more evenly go first",
  consolidate:
    "Pods on nodes that are to be empty go first, then those on nodes with fewer Pods of any workload",
  "co-located": "Pods that share their node with more Pods of the workload go first",
  "machine-cost": "a lower cost that a program wrote goes first",
  "ready-time": "Pods that became Ready later go first",
  restarts: "Pods whose containers restarted more often go first",
  "creation-time": "younger Pods go first",
  uid: "nothing else differs, so the random UID decides",
};

/** The rules that LogarithmicScaleDown is about. */
const rough: Readonly<Record<string, string>> = {
  "ready-time": "; times are compared roughly, by powers of two",
  "creation-time": "; ages are compared roughly, by powers of two",
};

interface LegendOptions {
  readonly isWide: boolean;
  readonly isRough: boolean;
}

/** What the rules that decided mean, one line each. */
export function legend(
  owners: readonly OwnerRemoval[],
  { isWide, isRough }: LegendOptions,
): readonly string[] {
  const rows = owners.flatMap(({ candidates }) => (isWide ? candidates : shortened(candidates)));
  const used = new Set(
    rows.flatMap(({ beforeNext }) => (beforeNext?.decided === true ? [beforeNext.because.rule] : [])),
  );
  const isAll = owners.every(({ removing, pods }) => removing === pods);
  if (isAll) return ["All Pods go, so that the order does not matter."];
  if (used.size === 0) return [];
  const known = Object.entries(meanings).filter(([rule]) => used.has(rule));
  return [
    "Two Pods are compared rule by rule; the first rule in which they differ decides. The rules that decided here:",
    ...known.map(([rule, meaning]) => `  ${rule}: ${meaning}${isRough ? (rough[rule] ?? "") : ""}.`),
  ];
}

/** Limit the Pods that are listed, those that go and those that stay, unless the user asks for all. */
const mostGoing = 50;
const mostStaying = 5;

/** The first of those that go or may go, the last of them, and the first of those that stay. */
export function shortened(candidates: readonly RankedPod[]): readonly RankedPod[] {
  const isStaying = ({ verdict }: RankedPod) => verdict === "stays" || verdict === "protected";
  const going = candidates.filter((row) => !isStaying(row));
  const staying = candidates.filter((row) => row.verdict === "stays");
  const kept = candidates.filter(({ verdict }) => verdict === "protected");
  const shown = going.length > mostGoing ? [...going.slice(0, mostGoing - 1), ...going.slice(-1)] : going;
  return [...shown, ...staying.slice(0, mostStaying), ...kept.slice(0, mostStaying)];
}
