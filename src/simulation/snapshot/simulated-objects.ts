import { findCondition } from "../../api/conditions.ts";
import type { Container, Node, PersistentVolume, Pod, PodSpec } from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isReady, isTerminal } from "../../api/pod-state.ts";
import { noProvisioner, simulatedProvisioner } from "../../api/volume-names.ts";
import { kwokNodeAnnotation } from "../../cluster/kubelet/behaviour/kwok.ts";
import { isSimulated } from "../../cluster/kubelet/nodes/simulated-node.ts";
import { simulationPrefix } from "../../cluster/kubelet/behaviour/simulation-prefix.ts";

/** What a simulation assumes about Pods that say nothing about it; durations as in `sim.trimtab.dev/startDelay`. */
export interface Assumptions {
  /** From a node to ready; absent: half a second. */
  readonly startUp?: string | undefined;
  /** From SIGTERM to the exit; absent: a second. */
  readonly termination?: string | undefined;
}

type Annotations = Readonly<Record<string, string>>;

/**
 * A node whose kubelet is simulated from now on. It stays as it is: one that is not ready is kept so, and one that is
 * silent stays silent. What runs to completion goes on running, since a snapshot does not say for how long.
 */
export function simulatedNodeOf(node: Node, { startUp, termination }: Assumptions): Node {
  const { metadata, status } = node;
  const ready = findCondition(status?.conditions, "Ready")?.status ?? "True";
  const settings = prefixed({
    completeAfter: "never",
    ...(startUp !== undefined && { startDelay: startUp }),
    ...(termination !== undefined && { terminationDelay: termination }),
    ...(ready === "Unknown" && { unreachable: "true" }),
    ...(ready === "False" && { notReady: "true" }),
  });
  const annotations = { ...settings, ...metadata.annotations };
  const marked = { ...node, metadata: { ...metadata, annotations } };
  if (isSimulated(marked)) return marked;
  // Labels decide about placement, so a node is marked by an annotation, which only our own label overrules.
  const { [`${simulationPrefix}node`]: _, ...labels } = metadata.labels ?? {};
  const mark = { ...annotations, [kwokNodeAnnotation]: "fake" };
  return { ...marked, metadata: { ...metadata, labels, annotations: mark } };
}

/** A volume that the simulated provisioner serves: a snapshot does not say what is behind it. */
export function simulatedVolumeOf(volume: PersistentVolume): PersistentVolume {
  const csi = { driver: simulatedProvisioner, volumeHandle: volume.metadata.name };
  return { ...volume, spec: { ...volume.spec, csi } };
}

/** A class whose volumes the simulated provisioner makes, if any are made. */
export function simulatedClassOf(storageClass: StorageClass): StorageClass {
  if (storageClass.provisioner === noProvisioner) return storageClass;
  return { ...storageClass, provisioner: simulatedProvisioner };
}

/** Why containers wait that will not run by themselves. */
const pullFailures = new Set(["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"]);
const startFailures = new Set([
  "CrashLoopBackOff",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
]);

/** A Pod as the simulated kubelet takes it over: one that fails to start goes on failing. */
export function simulatedPodOf(pod: Pod): Pod {
  return withAnnotations(pod, failureOf(pod));
}

/** Whether a Pod fails to start. */
export function isFailing(pod: Pod): boolean {
  return Object.keys(failureOf(pod)).length > 0;
}

/** Returns how a Pod fails, as settings of the simulated kubelet; empty if it does not fail. */
function failureOf({ status }: Pod): Annotations {
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const reasons = statuses.map(({ state }) => state?.waiting?.reason ?? "");
  if (reasons.some((reason) => pullFailures.has(reason))) return prefixed({ imagePull: "backoff" });
  return reasons.some((reason) => startFailures.has(reason)) ? prefixed({ neverReady: "true" }) : {};
}

/**
 * Lets new Pods fail where those before them did: of the controllers of which some Pods fail to start and none is
 * ready, since that is most likely what their template leads to.
 */
export function inheritFailures(pods: readonly Pod[]): (pod: Pod) => Pod {
  const failures = new Map<string, Annotations>();
  const healthy = new Set(pods.filter(isReady).map((pod) => controllerOf(pod)?.uid));
  for (const pod of pods.filter((each) => !isTerminal(each))) {
    const owner = controllerOf(pod)?.uid;
    if (owner !== undefined && !healthy.has(owner) && isFailing(pod)) failures.set(owner, failureOf(pod));
  }
  return (pod) => withAnnotations(pod, failures.get(controllerOf(pod)?.uid ?? "") ?? {});
}

/** A Pod with settings, where it does not have them itself. */
function withAnnotations(pod: Pod, added: Annotations): Pod {
  const present = pod.metadata.annotations ?? {};
  if (Object.keys(added).every((name) => name in present)) return pod;
  return { ...pod, metadata: { ...pod.metadata, annotations: { ...added, ...present } } };
}

/** A spec whose readiness probes have a handler: a snapshot does not have it, and the API server demands one. */
export function withProbeHandlers(spec: PodSpec): PodSpec {
  const isBare = ({ readinessProbe }: Container) =>
    readinessProbe !== undefined && !Object.values(readinessProbe).some(isJsonObject);
  const containers = (all: readonly Container[]) =>
    all.map((container) =>
      isBare(container)
        ? { ...container, readinessProbe: { ...container.readinessProbe, tcpSocket: { port: 1 } } }
        : container,
    );
  const { initContainers } = spec;
  return {
    ...spec,
    containers: containers(spec.containers),
    ...(initContainers === undefined ? {} : { initContainers: containers(initContainers) }),
  };
}

function prefixed(settings: Annotations): Annotations {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`${simulationPrefix}${name}`, value]),
  );
}
