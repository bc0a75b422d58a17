import type { Pod } from "../../../api/generated/core-v1.ts";
import type { Instant } from "../../../api/time.ts";
import type { PodBehaviour } from "../behaviour/pod-behaviour.ts";

/** The input of a step. */
export interface StepInput {
  readonly pod: Pod;
  readonly behaviour: PodBehaviour;
  /** Elapsed time, which setting the clock does not change. */
  readonly now: Instant;
  /** The time of the clock, in which deletion timestamps are written; absent: the same. */
  readonly wallNow?: Instant;
}

/** Converts a time of the Pod's status to elapsed time; never later than now, even if the clock was set meanwhile. */
export function elapsedAt(time: Instant | undefined, { now, wallNow = now }: StepInput): Instant {
  return time === undefined ? now : now - Math.max(0, wallNow - time);
}

/** How the containers of a Pod ended. */
export interface ContainerExit {
  readonly exitCode: number;
  /** As in the status of a container: `Completed`, `Error`, `OOMKilled`. */
  readonly reason: string;
}

/** One run of the main containers, from their start to their exit. */
export interface Run {
  readonly since: Instant;
  /** How often they were restarted before. */
  readonly restarts: number;
  /** How many back-offs in a row preceded it; a run that lasts long enough resets them. */
  readonly backOffs: number;
  /** The images that the containers were started with, in their order; absent: not known. */
  readonly images?: readonly string[];
}

/**
 * The stage of a Pod on its node. Stages that end by themselves say when (`until`, in elapsed time); the others wait
 * for a change.
 *
 *   admitted ──▶ initializing ──▶ running ◀──▶ ready ──▶ terminating ──▶ ended ──▶ removed
 *       │              │             │ ▲          │
 *       └─▶ image-back-off ──────────┘ └── crash-back-off
 *                                    └──────▶ exited (for good)
 */
export type PodStage =
  | { readonly name: "admitted"; readonly until: Instant }
  | {
      readonly name: "image-back-off";
      readonly until: Instant;
      readonly attempt: number;
      readonly image: string;
      readonly message: string;
      /** The run that a container with another image interrupted; absent: no container has started yet. */
      readonly run?: Run;
    }
  | {
      readonly name: "initializing";
      readonly until: Instant;
      /** Which init container runs; those before it are done. */
      readonly index: number;
      /** Since when it runs. */
      readonly since: Instant;
      /** How often it was restarted before. */
      readonly restarts: number;
    }
  | {
      readonly name: "init-back-off";
      readonly until: Instant;
      readonly index: number;
      readonly restarts: number;
      readonly delayMs: number;
      readonly exit: ContainerExit;
    }
  | {
      readonly name: "running";
      readonly until: Instant | undefined;
      readonly run: Run;
      /** Since when the Pod is not ready. */
      readonly since: Instant;
      /** Whether it was ready before, in this run. */
      readonly wasReady: boolean;
    }
  | {
      readonly name: "ready";
      readonly until: Instant | undefined;
      readonly run: Run;
      /** Since when the Pod is ready. */
      readonly since: Instant;
    }
  | {
      readonly name: "crash-back-off";
      readonly until: Instant;
      readonly restarts: number;
      readonly backOffs: number;
      readonly delayMs: number;
      readonly exit: ContainerExit;
      /** As in the run that ended. */
      readonly images?: readonly string[];
    }
  | {
      readonly name: "exited";
      readonly exit: ContainerExit;
      readonly restarts: number;
      /** The init container whose exit it was; absent: the exit of the main containers. */
      readonly initIndex?: number;
    }
  | ({ readonly name: "failed"; readonly reason: string; readonly message: string } & Progress)
  | {
      readonly name: "terminating";
      readonly until: Instant | undefined;
      readonly killed: boolean;
      /** The deletion timestamp that `until` was computed from. */
      readonly deletionTimestamp: string | undefined;
    }
  | { readonly name: "ended"; readonly until: Instant; readonly exit: ContainerExit }
  | { readonly name: "removed" };

/** How far a Pod came before it failed. */
export interface Progress {
  /** Whether its main containers had started. */
  readonly ran: boolean;
  /** The init container whose turn it was. */
  readonly initIndex?: number;
}

/** Returns how far a Pod came that fails in this stage. */
export function progressIn(stage: PodStage): Progress {
  const { name } = stage;
  if (name === "initializing" || name === "init-back-off") return { ran: false, initIndex: stage.index };
  if (name === "image-back-off") return { ran: stage.run !== undefined };
  return { ran: name === "running" || name === "ready" || name === "crash-back-off" };
}

/** The stage with that name. */
export type StageOf<Name extends PodStage["name"]> = Extract<PodStage, { readonly name: Name }>;

/** Returns when a stage has to be stepped again unless the Pod changes before. */
export function requeueAt(stage: PodStage): Instant | undefined {
  return "until" in stage ? stage.until : undefined;
}

/**
 * Returns the index of the init container that runs or has failed: -1 before the first has started, `count` when all
 * are done.
 */
export function initIndexOf(stage: PodStage, count: number): number {
  switch (stage.name) {
    case "admitted":
      return -1;
    case "image-back-off":
      return stage.run === undefined ? -1 : count;
    case "initializing":
    case "init-back-off":
      return stage.index;
    case "exited":
      return stage.initIndex ?? count;
    case "failed":
      return stage.ran ? count : (stage.initIndex ?? -1);
    case "running":
    case "ready":
    case "crash-back-off":
    case "terminating":
    case "ended":
    case "removed":
      return count;
  }
}
