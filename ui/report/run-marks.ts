import type { ScenarioResult } from "../../src/simulation/scenario-run/scenario-result.ts";

/** A moment that the plots of a run mark. */
export interface RunMark {
  readonly atSeconds: number;
  /** The number of the event in its list, or `!` for an assertion that failed. */
  readonly sign: string;
  readonly isFailure: boolean;
}

/** The events of a run, by their numbers, and the moments at which assertions failed. */
export function marksOf({ events, assertions }: ScenarioResult): readonly RunMark[] {
  return [
    ...events.map(({ atSeconds }, index) => ({ atSeconds, sign: String(index + 1), isFailure: false })),
    ...assertions.flatMap(({ failure }) =>
      failure === undefined ? [] : [{ atSeconds: failure.atSeconds, sign: "!", isFailure: true }],
    ),
  ];
}
