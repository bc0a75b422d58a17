import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { allowedPickers, localPickers, type PickerAccess } from "../../cluster/network-pickers.ts";
import type { PickerAnswerGiven, PickerExplanation } from "../../decisions/explain/rank-candidates.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { CallLimiter } from "../../picker/call/call-limiter.ts";
import { callPicker } from "../../picker/call/call-picker.ts";
import type { PickerOutcome } from "../../decisions/downscale/picker-outcome.ts";
import { readPicker } from "../../picker/picker-settings.ts";
import { pickerWorkloadOf } from "../../picker/picker-workload.ts";

/** Where and how pickers are asked. */
export interface AskOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly access: PickerAccess;
  /** Whether the cluster is an embedded one, whose pickers are on this machine. */
  readonly isEmbedded: boolean;
  readonly signal: AbortSignal;
}

/** A question to the picker of a ReplicaSet. */
export interface PickerToAsk {
  readonly owner: ReplicaSet;
  /** As the object has it, not validated. */
  readonly picker: unknown;
  readonly question: PickerExplanation;
}

/** Asks a picker exactly as the ReplicaSet controller would; a failure is an outcome, not an exception. */
export async function askPicker(
  { owner, picker, question }: PickerToAsk,
  { client, clock, access, isEmbedded, signal }: AskOptions,
): Promise<PickerAnswerGiven> {
  const read = readPicker(picker);
  if (!read.ok) return failed(`it cannot be asked: ${read.problem}`);
  const connect = isEmbedded ? localPickers : allowedPickers;
  const connector = connect(access)({ client, clock });
  const { settings } = read;
  const outcome = await callPicker(
    {
      settings,
      question: { requested: question.requested, candidates: question.candidates },
      workload: pickerWorkloadOf(owner),
      leftMs: settings.timeoutMs,
    },
    { client, clock, random: systemRandom(), limiter: new CallLimiter(), ...connector },
    signal,
  );
  return answerOf(outcome);
}

function answerOf(outcome: PickerOutcome): PickerAnswerGiven {
  if (outcome.kind === "failed") {
    const { class: failure } = outcome.failure;
    const hint = failure === "AddressNotAllowed" ? " (--picker-allow names where it may be)" : "";
    return failed(`it gave no answer: ${failure}${hint}; the order is the one without a picker`);
  }
  const { answer } = outcome;
  const protects = [...(answer.protects ?? [])];
  if (answer.kind === "Empty" && protects.length === 0)
    return failed("it named none of them; the order is the one without a picker");
  const [chosen, tied] = answer.kind === "Empty" ? [[], []] : [[...answer.chosen], [...answer.tied]];
  const named = [
    ...(chosen.length > 0 ? [`chose ${chosen.join(", ")}`] : []),
    ...(tied.length > 0 ? [`tied ${tied.join(", ")}`] : []),
    ...(protects.length > 0 ? [`protects ${protects.join(", ")}`] : []),
  ];
  return { outcome: `it ${named.join(" and ")}`, chosen, tied, protects };
}

function failed(outcome: string): PickerAnswerGiven {
  return { outcome, chosen: [], tied: [] };
}
