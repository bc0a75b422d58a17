import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Job, JobStatus } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isFinished, isTracked } from "../../api/job-state.ts";
import { validateJobStatus } from "../../cluster/apiserver/kinds/job/job-status.ts";
import type { Draft } from "../../api/object.ts";
import { isActive, isTerminal } from "../../api/pod-state.ts";
import { job, jobPod } from "../../testing/job.ts";
import { type JobPlan, planJob } from "./plan-job.ts";
import { type JobOutcome, settlePods, trackPods } from "./track-pods.ts";

// A Job and its Pods as they are stored, a controller that may stop after any write and may decide on Pods as they were
// before, and Pods that end as they like.

/** What can happen between two syncs, and how a sync goes. */
type Step =
  | { readonly kind: "end-pod"; readonly nth: number; readonly phase: "Succeeded" | "Failed" }
  | { readonly kind: "delete-pod"; readonly nth: number }
  | { readonly kind: "suspend"; readonly suspend: boolean }
  | { readonly kind: "parallelism"; readonly parallelism: number }
  | { readonly kind: "backoff-limit"; readonly backoffLimit: number }
  /** The controller stops after so many of its writes; it may have read old Pods, and then it expects news of them. */
  | { readonly kind: "sync"; readonly writes: number; readonly isBehind: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("sync" as const), writes: fc.nat(8), isBehind: fc.boolean() }),
  },
  fc.record({
    kind: fc.constant("end-pod" as const),
    nth: fc.nat(5),
    phase: fc.constantFrom("Succeeded" as const, "Succeeded" as const, "Failed" as const),
  }),
  fc.record({ kind: fc.constant("delete-pod" as const), nth: fc.nat(5) }),
  fc.record({ kind: fc.constant("suspend" as const), suspend: fc.boolean() }),
  fc.record({ kind: fc.constant("parallelism" as const), parallelism: fc.nat(4) }),
  fc.record({ kind: fc.constant("backoff-limit" as const), backoffLimit: fc.nat(4) }),
);

class Model {
  job: Job;
  pods: Pod[] = [];
  #old: readonly Pod[] = [];
  #names = 0;
  #now = 18 * 10 ** 11; // later than anything in the Pods
  /** The UIDs of Pods that ended while they were tracked. */
  readonly ended = { Succeeded: new Set<string>(), Failed: new Set<string>() };

  constructor(spec: Parameters<typeof job>[1]) {
    this.job = job("pi", spec);
  }

  apply(each: Step): void {
    this.#now += 10 ** 6; // longer than any back-off
    switch (each.kind) {
      case "end-pod":
        return this.#change(each.nth, (pod) => ({ ...pod, status: { ...pod.status, phase: each.phase } }));
      case "delete-pod":
        return this.#change(each.nth, (pod) => deleting(pod));
      case "suspend":
        this.job = { ...this.job, spec: { ...this.job.spec, suspend: each.suspend } };
        return;
      case "parallelism":
        this.job = { ...this.job, spec: { ...this.job.spec, parallelism: each.parallelism } };
        return;
      case "backoff-limit":
        this.job = { ...this.job, spec: { ...this.job.spec, backoffLimit: each.backoffLimit } };
        return;
      case "sync":
        this.sync(each);
    }
  }

  #change(nth: number, change: (pod: Pod) => Pod): void {
    const running = this.pods.filter(isActive);
    const pod = running[nth % Math.max(1, running.length)];
    if (pod === undefined) return;
    const changed = change(pod);
    this.pods = this.pods.map((other) => (other === pod ? changed : other));
    const { phase } = changed.status ?? {};
    if (isTracked(changed) && (phase === "Succeeded" || phase === "Failed"))
      this.ended[phase].add(pod.metadata.uid);
    if (isTracked(changed) && phase === "Running") this.ended.Failed.add(pod.metadata.uid);
  }

  sync({ writes, isBehind }: { readonly writes: number; readonly isBehind: boolean }): void {
    if (isFinished(this.job)) return;
    let left = writes;
    const mayWrite = () => left-- > 0;
    const seen = isBehind ? this.#old : this.pods;
    // What the controller removed finalizers from and does not see yet, it knows.
    const released = new Set(seen.filter((pod) => !this.#isTracked(pod)).map(({ metadata }) => metadata.uid));
    const plan = planJob({ job: this.job, pods: seen, released, isExpecting: isBehind, now: this.#now });
    this.#old = this.pods;
    const outcome = this.#act(plan, mayWrite);
    const tracking = trackPods(plan, { ...outcome, isCertain: outcome.isCertain && !isBehind }, this.#now);
    if (!mayWrite()) return;
    this.#write(tracking.status);
    const gone = new Set<string>();
    for (const { metadata } of tracking.release) {
      if (!mayWrite()) break;
      this.#release(metadata.uid);
      gone.add(metadata.uid);
    }
    if (!mayWrite()) return;
    this.#write(settlePods(tracking, gone, this.#now).status);
  }

  /** The API server would refuse a status that is not valid, and the Job would stay as it is for ever. */
  #write(status: JobStatus): void {
    const next = { ...this.job, status };
    expect(validateJobStatus({ next, previous: this.job })).toEqual([]);
    this.job = next;
  }

  #act({ actions }: JobPlan, mayWrite: () => boolean): JobOutcome {
    let created = 0;
    const deleted: Pod[] = [];
    for (const action of actions) {
      const items: readonly Draft<Pod>[] = action.kind === "create-pods" ? action.drafts : action.pods;
      for (const item of items) {
        if (!mayWrite()) return { created, deleted, isCertain: false };
        const pod = item as Pod;
        if (action.kind === "create-pods") {
          this.#create(pod);
          created++;
        } else {
          this.#delete(pod, action.kind === "end-pods");
          deleted.push(pod);
        }
      }
    }
    return { created, deleted, isCertain: true };
  }

  #isTracked({ metadata }: Pod): boolean {
    return this.pods.some((pod) => pod.metadata.uid === metadata.uid && isTracked(pod));
  }

  #create({ metadata: { annotations = {} } }: Draft<Pod>): void {
    this.pods = [...this.pods, jobPod(`p${this.#names++}`, { annotations })];
  }

  #delete({ metadata }: Pod, isTrackedOn: boolean): void {
    if (isTrackedOn) this.ended.Failed.add(metadata.uid);
    else this.#release(metadata.uid);
    this.pods = this.pods.map((pod) =>
      pod.metadata.uid === metadata.uid && !isTerminal(pod) ? deleting(pod) : pod,
    );
    this.#collect();
  }

  #release(uid: string): void {
    this.pods = this.pods.map((pod) =>
      pod.metadata.uid === uid ? { ...pod, metadata: { ...pod.metadata, finalizers: [] } } : pod,
    );
    this.#collect();
  }

  /** A Pod that is being deleted goes with its last finalizer. */
  #collect(): void {
    this.pods = this.pods.filter((pod) => isTracked(pod) || pod.metadata.deletionTimestamp === undefined);
  }
}

function deleting(pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
}

const specs = fc.record(
  {
    completions: fc.integer({ min: 1, max: 5 }),
    parallelism: fc.integer({ min: 1, max: 4 }),
    completionMode: fc.constantFrom("NonIndexed", "Indexed"),
    backoffLimit: fc.nat(4),
    backoffLimitPerIndex: fc.nat(2),
  },
  { requiredKeys: ["completions", "parallelism", "completionMode", "backoffLimit"] },
);

const countOf = ({ status }: Job) => ({ succeeded: status?.succeeded ?? 0, failed: status?.failed ?? 0 });

test("whatever happens, no Pod is counted twice, and a finished Job stays as it ended", () => {
  fc.assert(
    fc.property(specs, fc.array(step, { maxLength: 40 }), (spec, steps) => {
      const model = new Model(spec);
      for (const each of steps) {
        const before = model.job;
        model.apply(each);
        const { succeeded, failed } = countOf(model.job);
        expect(succeeded).toBeLessThanOrEqual(model.ended.Succeeded.size);
        expect(succeeded).toBeGreaterThanOrEqual(countOf(before).succeeded);
        expect(failed).toBeGreaterThanOrEqual(countOf(before).failed);
        if (isFinished(before)) expect(model.job.status).toEqual(before.status);
      }
    }),
    { numRuns: 150 },
  );
});

test("a controller that is never behind runs no more Pods than it may, and no more than are needed", () => {
  const prompt = step.filter(
    (each) => each.kind !== "parallelism" && !(each.kind === "sync" && each.isBehind),
  );
  fc.assert(
    fc.property(specs, fc.array(prompt, { maxLength: 40 }), (spec, steps) => {
      const model = new Model(spec);
      for (const each of steps) {
        model.apply(each);
        const active = model.pods.filter(isActive).length;
        expect(active).toBeLessThanOrEqual(spec.parallelism);
        expect(active + countOf(model.job).succeeded).toBeLessThanOrEqual(
          spec.completions + spec.parallelism,
        );
      }
    }),
    { numRuns: 100 },
  );
});

test("once the controller can write, every Pod that ended is counted, and the Job ends", () => {
  fc.assert(
    fc.property(specs, fc.array(step, { maxLength: 30 }), (spec, steps) => {
      const model = new Model(spec);
      for (const each of steps) model.apply(each);
      const settle = () => model.apply({ kind: "sync", writes: 99, isBehind: false });
      model.apply({ kind: "suspend", suspend: false });
      model.apply({ kind: "parallelism", parallelism: 2 });
      for (let round = 0; round < 30 && !isFinished(model.job); round++) {
        settle();
        model.apply({ kind: "end-pod", nth: 0, phase: "Succeeded" });
      }
      expect(isFinished(model.job)).toBe(true);
      expect(model.job.status?.uncountedTerminatedPods).toEqual({});
      if (spec.completionMode === "NonIndexed" && model.job.status?.completionTime !== undefined)
        expect(countOf(model.job)).toEqual({
          succeeded: model.ended.Succeeded.size,
          failed: model.ended.Failed.size,
        });
    }),
    { numRuns: 100 },
  );
});
