/** One line of what `trimtab doctor` says. */
export interface Finding {
  /** What was looked at: `webhooks`, `certificate`. */
  readonly name: string;
  /** `open`: it could not be found out, or is worth knowing and no fault. */
  readonly state: "good" | "bad" | "open";
  readonly says: string;
  /** The command that mends it, or shows more. */
  readonly mend?: string;
}

/** The findings about one thing, under its name. */
export interface FindingGroup {
  readonly about: string;
  readonly findings: readonly Finding[];
}

/** Everything `trimtab doctor` has found out, as JSON has it. */
export interface DoctorReport {
  readonly kind: "DoctorReport";
  /** Whether nothing is bad. */
  readonly healthy: boolean;
  readonly groups: readonly FindingGroup[];
}

export const good = (name: string, says: string): Finding => ({ name, state: "good", says });

export const bad = (name: string, says: string, mend?: string): Finding => ({
  name,
  state: "bad",
  says,
  ...(mend !== undefined && { mend }),
});

export const open = (name: string, says: string, mend?: string): Finding => ({
  name,
  state: "open",
  says,
  ...(mend !== undefined && { mend }),
});

/** Makes the report of groups; those without findings are left out. */
export function findingsReport(groups: readonly FindingGroup[]): DoctorReport {
  const isBad = ({ findings }: FindingGroup) => findings.some(({ state }) => state === "bad");
  return {
    kind: "DoctorReport",
    healthy: !groups.some(isBad),
    groups: groups.filter(({ findings }) => findings.length > 0),
  };
}
