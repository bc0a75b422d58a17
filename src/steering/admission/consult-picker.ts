import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { DownscalePodPicker } from "../../api/generated/apps-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import type { Picks } from "../../decisions/downscale/facts.ts";
import {
  type PickerProgress,
  pickerProgress,
  type RemovalRequest,
  type SettledPicker,
} from "../../decisions/downscale/picker-progress.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { PickerState } from "../../decisions/downscale/picker-state.ts";
import type { ProtectedPlan } from "../../decisions/replicas/plan-protected-removal.ts";
import type { PickerCaller } from "../picker-caller.ts";

/** What a picker has said. */
export interface Consultation {
  readonly picks?: Picks;
  /** For the record; absent where there is no picker. */
  readonly outcome?: JsonObject;
}

/** Asks pickers and waits for their answers. How many calls there are at a time is limited by what makes them. */
export class PickerConsultant {
  readonly #port: PickerCaller;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(port: PickerCaller) {
    this.#port = port;
    const wake = (key: string) => [...(this.#waiting.get(key) ?? [])].forEach((each) => each());
    port.start?.({ add: wake, addSoon: wake, addAfter: wake });
  }

  /** Asks the picker of a ReplicaSet and waits for its answer, until the signal aborts at the latest. */
  async consult(owner: ReplicaSet, request: RemovalRequest, signal: AbortSignal): Promise<Consultation> {
    const progress = this.#progressOf(owner, request);
    if (progress.kind === "none") return {};
    if (progress.kind === "settled") return this.#use(owner, progress);
    if (progress.kind === "not-asked") this.#port.ask(owner, progress);
    return this.#answer(owner, request, signal);
  }

  /**
   * Plans the removal of protected Pods, and asks the picker for as long as the plan waits for it. What came of asking is
   * settled; an answer that holds the removal back stands until it is due again.
   */
  async plan(owner: ReplicaSet, asking: PlanAsking, signal: AbortSignal): Promise<ProtectedPlan> {
    const stateOf = () => this.#port.stateOf(owner, asking.gates);
    let plan = await asking.planWith(stateOf());
    while (plan.because === "waiting-for-picker" && !signal.aborted) {
      const ask = plan.actions.find((action) => action.kind === "ask-picker");
      if (ask !== undefined) this.#port.ask(owner, ask.unasked);
      await this.#woken(keyOf(owner), signal);
      plan = await asking.planWith(stateOf());
    }
    if (plan.because === "waiting-for-picker") plan = await asking.planWith(unanswering(stateOf()));
    return this.#settled(owner, plan);
  }

  #settled(owner: ReplicaSet, plan: ProtectedPlan): ProtectedPlan {
    for (const action of plan.actions) {
      if (action.kind === "settle-picker") this.#port.settle(owner, action.settled, action.standing);
      if (action.kind === "dismiss-picker") this.#port.dismiss(keyOf(owner));
    }
    return plan;
  }

  #progressOf(owner: ReplicaSet, request: RemovalRequest): PickerProgress {
    return pickerProgress(this.#port.stateOf(owner, request.facts.gates), request);
  }

  async #answer(owner: ReplicaSet, request: RemovalRequest, signal: AbortSignal): Promise<Consultation> {
    const key = keyOf(owner);
    let progress = this.#progressOf(owner, request);
    while (progress.kind === "pending" && !signal.aborted) {
      await this.#woken(key, signal);
      progress = this.#progressOf(owner, request);
    }
    if (progress.kind === "settled") return this.#use(owner, progress);
    this.#port.dismiss(key);
    return { outcome: unanswered };
  }

  #woken(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set();
      const wake = () => {
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(key);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.set(key, waiting.add(wake));
      signal.addEventListener("abort", wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  #use(owner: ReplicaSet, settled: SettledPicker): Consultation {
    this.#port.settle(owner, settled);
    const { outcome, picks } = settled;
    return picks === undefined ? { outcome } : { outcome, picks };
  }
}

const unanswered: JsonObject = { outcome: "Failed", class: "Timeout", attempts: 0, used: false };

/** How a removal is planned by what is known of the picker. */
export interface PlanAsking {
  readonly gates: FeatureGates;
  readonly planWith: (picker: PickerState) => Promise<ProtectedPlan>;
}

/** The state of a picker that has not answered in time. */
function unanswering(state: PickerState): PickerState {
  if (state.picker === undefined) return state;
  return { ...state, picker: { ...state.picker, call: undefined, refusal: { class: "Timeout" } } };
}

/** The ReplicaSet with the picker that its Deployment asks for, whose budget ends before that of the webhook. */
export function askingPicker(replicaSet: ReplicaSet, picker: unknown, mostSeconds: number): ReplicaSet {
  if (picker === undefined) return replicaSet;
  // The function that reads the picker validates it.
  const downscalePodPicker = limited(picker, mostSeconds) as DownscalePodPicker;
  return { ...replicaSet, spec: { ...replicaSet.spec, downscalePodPicker } };
}

function limited(picker: unknown, mostSeconds: number): unknown {
  if (typeof picker !== "object" || picker === null) return picker;
  const { timeoutSeconds } = picker as { readonly timeoutSeconds?: unknown };
  const isTooLong =
    typeof timeoutSeconds === "number" && timeoutSeconds > mostSeconds && timeoutSeconds <= 30;
  return isTooLong ? { ...picker, timeoutSeconds: mostSeconds } : picker;
}
