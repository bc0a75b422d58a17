import type { PickerAccess } from "../../cluster/network-pickers.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type Clock, networkClock } from "../../machinery/clock/clock.ts";
import type { PageServerOptions } from "../../page/page.ts";
import { readClusterObjects } from "../../simulation/snapshot/read-cluster-objects.ts";
import { askAboutScale } from "../explain/ask-about-scale.ts";

/** How the page asks pickers: with the rights of its user, at the addresses that the flags allow. */
export interface PagePickersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly access: PickerAccess;
  readonly cluster: PageServerOptions["cluster"];
}

const needed = [
  "namespaces",
  "nodes",
  "services",
  "pods",
  "deployments",
  "replicaSets",
] as const satisfies readonly (keyof ClusterObjects)[];

/** Asks the pickers of a workload for the page, as `trimtab explain --ask-picker` does; only reads besides. */
export function pagePickers({
  client,
  clock,
  access,
  cluster,
}: PagePickersOptions): NonNullable<PageServerOptions["askPickers"]> {
  return async ({ kind, namespace, name, replicas }, signal) => {
    const scope = { namespace, collections: needed, required: ["pods", "replicaSets"] as const };
    const read = await readClusterObjects(client, scope, signal);
    if (!read.ok) return { ok: false, problem: read.problems.join("; ") };
    const isEmbedded = cluster.mode === "embedded";
    const { objects, notes, leftOut } = read;
    const view = { objects, notes, leftOut, now: clock.now(), isEmbedded };
    const { removalProfile: profile, featureGates } = cluster;
    const workload = { kind: kind === "ReplicaSet" ? kind : "Deployment", namespace, name } as const;
    const asked = await askAboutScale(
      { workload, replicas, profile, gates: () => featureGates },
      { view, ask: { client, clock: networkClock(clock), access, signal } },
    );
    if (asked === undefined) return { ok: false, problem: `there is no ${kind} ${namespace}/${name}` };
    const answers = asked.map(({ owner, questions }) => [
      owner,
      questions.flatMap(({ answer }) => answer ?? []),
    ]);
    return { ok: true, answers: Object.fromEntries(answers) };
  };
}
