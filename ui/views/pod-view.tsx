import type { ComponentChildren, JSX } from "preact";
import { humanDuration } from "../../src/api/duration.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { readySince } from "../../src/api/pod-state.ts";
import { type Instant, parseTime } from "../../src/api/time.ts";
import { deletionCost } from "../../src/api/deletion-cost.ts";
import { containerRestarts } from "../../src/decisions/downscale/restarts.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { removalReason, survivalReason } from "../../src/decisions/explain/removal-reason.ts";
import { shownStateOf, podStateText } from "../model/pod-state.ts";
import type { ReplicaOwner } from "../../src/decisions/replicas/replica-owner.ts";
import { removalRank, type RemovalRank } from "../model/removal.ts";
import { unrankedSentence, workloadOfPod } from "../model/workloads.ts";
import { zoneNameOf } from "../model/zones.ts";
import { clockTime } from "./format.ts";
import { PodDetails } from "./pod-details.tsx";
import { PodEndSection } from "./pod-end.tsx";
import { PodPlacement } from "./pod-placement.tsx";
import { nodeHref, workloadHref } from "./route.ts";
import { useFrames, useStore } from "./use-store.ts";

/** One Pod: why it is on its node, and when it would be removed. */
export function PodView({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): JSX.Element {
  const seen = useSeen(`${namespace}/${name}`);
  return (
    <div class="view">
      <p class="crumbs">
        <a href="#/cluster">Cluster</a>
      </p>
      <div class="title">
        <h1>
          <span class="quiet">{namespace}/</span>
          {name}
        </h1>
        <span class="kind">Pod</span>
      </div>
      {seen === undefined ? (
        <p class="empty">There is no such Pod at this moment, and none since this page was opened.</p>
      ) : (
        <>
          {!seen.isPresent && <NotThere seen={seen} />}
          <PodFacts pod={seen.pod} />
          <PodEndSection pod={seen.pod} isGone={seen.goneAt !== undefined} />
          {seen.isPresent && <PodRemoval pod={seen.pod} />}
          <PodPlacement pod={seen.pod} />
          <PodDetails pod={seen.pod} />
        </>
      )}
    </div>
  );
}

/** A Pod as it is, or as it was last seen. */
interface SeenPod {
  readonly pod: Pod;
  readonly isPresent: boolean;
  /** By the browser's clock. */
  readonly goneAt?: Instant;
}

function useSeen(key: string): SeenPod | undefined {
  const { shown, log } = useFrames(500);
  const present = shown.collections.pods.get(key);
  if (present !== undefined) return { pod: present, isPresent: true };
  const last = log.latest("pods", key);
  const pod = last?.after ?? last?.before;
  if (last === undefined || pod === undefined) return undefined;
  // The collection of Pods holds nothing else.
  const seen = { pod: pod as Pod, isPresent: false };
  return last.after === undefined ? { ...seen, goneAt: last.at } : seen;
}

function NotThere({ seen: { goneAt } }: { readonly seen: SeenPod }): JSX.Element {
  const { clockOf } = useStore();
  const since = goneAt === undefined ? "" : `, before it was gone at ${clockTime(clockOf(goneAt))}`;
  return <p class="notice">It is not there at this moment; below is how it was last seen{since}.</p>;
}

function PodFacts({ pod }: { readonly pod: Pod }): JSX.Element {
  const { shown, context } = useFrames(500);
  const node = pod.spec?.nodeName;
  const workload = workloadOfPod(pod, shown);
  const since = (moment: number | undefined) =>
    moment === undefined ? "–" : humanDuration(context.now - moment);
  const cost = deletionCost(pod);
  return (
    <dl class="facts">
      <Fact name="state">{podStateText(shownStateOf(pod)).text}</Fact>
      <Fact name="workload">
        {workload.kind === "Pod" ? (
          "none"
        ) : (
          <a href={workloadHref(workload)}>
            {workload.kind} {workload.name}
          </a>
        )}
      </Fact>
      <Fact name="node">{node === undefined ? "none" : <a href={nodeHref(node)}>{node}</a>}</Fact>
      <Fact name="zone">{zoneNameOf(shown.collections.nodes.get(node ?? "")) || "–"}</Fact>
      <Fact name="ready for">{since(readySince(pod))}</Fact>
      <Fact name="age">{since(parseTime(pod.metadata.creationTimestamp))}</Fact>
      <Fact name="restarts">{containerRestarts(pod)}</Fact>
      <Fact name="deletion cost">{cost}</Fact>
      <Fact name="scale-down label">
        {Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel) ? "preferred" : "no"}
      </Fact>
    </dl>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** When the Pod would be removed: its rank in the removal order, and the comparisons with its neighbours. */
function PodRemoval({ pod }: { readonly pod: Pod }): JSX.Element {
  const { shown, context } = useFrames(500);
  const owner = ownerOf(pod, shown.collections);
  const rank = owner === undefined ? undefined : removalRank(pod, owner, { objects: shown.objects, context });
  return (
    <section aria-label="Removal">
      <h2>When it would be removed</h2>
      {owner === undefined && <p class="quiet">{unrankedSentence(pod)}</p>}
      {owner !== undefined && rank === undefined && (
        <p class="quiet">It is ending already, and no longer counts for {owner.metadata.name}.</p>
      )}
      {rank !== undefined && <Rank rank={rank} owner={owner?.metadata.name ?? ""} />}
    </section>
  );
}

function ownerOf(
  pod: Pod,
  { replicaSets, replicationControllers }: ReturnType<typeof useFrames>["shown"]["collections"],
): ReplicaOwner | undefined {
  const controller = controllerOf(pod);
  const key = `${pod.metadata.namespace}/${controller?.name}`;
  if (controller?.kind === "ReplicaSet") return replicaSets.get(key);
  return controller?.kind === "ReplicationController" ? replicationControllers.get(key) : undefined;
}

function Rank({ rank, owner }: { readonly rank: RemovalRank; readonly owner: string }): JSX.Element {
  const { place, of, isOpen, goes, stays, protection } = rank;
  if (protection !== undefined)
    return (
      <p class="headline waits sentence-case">
        {protection}. A scale-down takes others first, and waits for it, up to its limit.
      </p>
    );
  return (
    <>
      <p class="headline">
        {isOpen ? "About number" : "Number"} <b>{place + 1}</b> of {of} Pods of {owner} to go
        {place === 0
          ? ": the next scale-down takes it first."
          : `: it goes once ${owner} has fewer than ${of - place}.`}
      </p>
      {isOpen && <p class="quiet">The order leaves open which of several equal Pods goes first.</p>}
      <ul class="pairs">
        {goes?.because !== undefined && (
          <li>
            It goes before <b>{goes.because.against.pod.metadata.name}</b> <span>{removalReason(goes)}</span>
          </li>
        )}
        {stays?.because !== undefined && (
          <li>
            It stays after <b>{stays.because.against.pod.metadata.name}</b>{" "}
            <span>{survivalReason(stays)}</span>
          </li>
        )}
      </ul>
    </>
  );
}
