import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { WrittenVersions } from "../../machinery/written-versions.ts";
import type { ReplicaDependencies } from "./dependencies.ts";
import { FailureEchoes } from "./failure-echoes.ts";
import { RecentCreations } from "./recent-creations.ts";
import { StatusQuarrels } from "./status-quarrels.ts";

/** What is remembered of an owner from one look at it to the next. */
export interface Memory<T extends ReplicaOwner> {
  readonly expectations: Expectations;
  readonly written: WrittenVersions;
  readonly echoes: FailureEchoes<T>;
  readonly creations: RecentCreations;
  readonly quarrels: StatusQuarrels;
  /** The owner is gone; with a UID, what was written is forgotten only if it was for that one. */
  forget(key: string, uid?: string): void;
}

type Sources = "clock" | "log" | "owners" | "pods" | "expectations" | "consultations";

/** Starts with nothing remembered. */
export function newMemory<T extends ReplicaOwner>(deps: Pick<ReplicaDependencies<T>, Sources>): Memory<T> {
  const { expectations = new Expectations(deps.clock, deps.log) } = deps;
  const written = new WrittenVersions([deps.owners, deps.pods]);
  const echoes = new FailureEchoes<T>();
  const creations = new RecentCreations(deps.clock);
  const quarrels = new StatusQuarrels(deps.clock);
  return {
    expectations,
    written,
    echoes,
    creations,
    quarrels,
    forget(key, uid) {
      creations.forget(key);
      written.forget(key, uid);
      expectations.forget(key);
      echoes.forget(key);
      quarrels.forget(key);
      deps.consultations?.dismiss(key);
    },
  };
}
