import { answerRows, answersRow, summaryRows } from "./answer-rows.ts";
import { Asker, type CheckOptions } from "./asker.ts";
import { robustnessRows } from "./robustness-rows.ts";
import { type CheckRow, skipped, type CheckVerdict } from "./verdict.ts";

/** A row of the contract and what was found. */
export interface CheckedRow extends Pick<CheckRow, "name" | "promise"> {
  readonly verdict: CheckVerdict;
  readonly tookMs: number;
}

/**
 * Checks a picker against every row of the contract, one after the other, with fewer than fifty questions in all. Of a picker that
 * is down there is only the first row.
 */
export async function checkPicker(options: CheckOptions): Promise<readonly CheckedRow[]> {
  const asker = new Asker(options);
  const checked: CheckedRow[] = [];
  const check = async (row: CheckRow) => {
    const from = options.clock.now();
    asker.row = row.name;
    const verdict = await verdictOf(row, asker, checked[0]?.verdict.kind === "fail");
    checked.push({ name: row.name, promise: row.promise, verdict, tookMs: options.clock.now() - from });
  };
  await check(answersRow);
  if (asker.asked[0]?.reply.kind === "silent") return checked;
  for (const row of [...answerRows, ...robustnessRows, ...summaryRows])
    if (row.protocol === undefined || row.protocol === asker.protocol) await check(row);
  return checked;
}

function verdictOf(row: CheckRow, asker: Asker, hasNoAnswer: boolean): Promise<CheckVerdict> {
  if (hasNoAnswer) return Promise.resolve(skipped("the first question had no answer"));
  if (asker.isGivenUp && row.isFinal !== true)
    return Promise.resolve(skipped("the picker does not respond any more"));
  return row.check(asker);
}

/** How many rows have each kind of verdict. */
export function countVerdicts(rows: readonly CheckedRow[]): Readonly<Record<CheckVerdict["kind"], number>> {
  const count = (kind: CheckVerdict["kind"]) => rows.filter(({ verdict }) => verdict.kind === kind).length;
  return { pass: count("pass"), fail: count("fail"), warn: count("warn"), skip: count("skip") };
}
