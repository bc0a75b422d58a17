import type { ContainerStatus, Pod } from "../../../../api/generated/core-v1.ts";

type PodStatus = NonNullable<Pod["status"]>;
type PodSpec = Pod["spec"];

/** A Pod with a status, and the expected cells. */
export interface PodCase {
  readonly name: string;
  readonly spec?: Partial<PodSpec>;
  readonly status: PodStatus;
  readonly deleted?: boolean;
  readonly want: string;
  /** `ready/total`. */
  readonly ready?: string;
  readonly restarts?: string;
}

/** A container status; only what is given differs from one that waits for its turn. */
export function container(name: string, given: Partial<ContainerStatus> = {}): ContainerStatus {
  return { name, image: "i", imageID: "", ready: false, restartCount: 0, ...given };
}

const running = { ready: true, started: true, state: { running: {} } };
const ended = (exitCode: number, reason?: string, signal?: number) => ({
  state: {
    terminated: {
      exitCode,
      ...(reason !== undefined && { reason }),
      ...(signal !== undefined && { signal }),
    },
  },
});
const waits = (reason: string) => ({ state: { waiting: { reason } } });
const condition = (type: string, status: string, reason = "") => ({ type, status, reason });
const ready = condition("Ready", "True");
const containers = (...names: readonly string[]) => ({ containers: names.map((name) => ({ name })) });
const inits = (...names: readonly string[]) => ({ initContainers: names.map((name) => ({ name })) });
const sidecar = (name: string) => ({ initContainers: [{ name, restartPolicy: "Always" }] });

export const podCases: readonly PodCase[] = [
  { name: "a phase alone", status: { phase: "Pending" }, want: "Pending", ready: "0/1" },
  { name: "a reason over the phase", status: { phase: "Failed", reason: "Evicted" }, want: "Evicted" },
  {
    name: "a scheduling gate",
    status: { phase: "Pending", conditions: [condition("PodScheduled", "False", "SchedulingGated")] },
    want: "SchedulingGated",
  },
  {
    name: "a container that runs",
    status: { phase: "Running", conditions: [ready], containerStatuses: [container("a", running)] },
    want: "Running",
    ready: "1/1",
  },
  {
    name: "a container that waits",
    status: { phase: "Pending", containerStatuses: [container("a", waits("ContainerCreating"))] },
    want: "ContainerCreating",
  },
  {
    name: "a container that waits and does not say why",
    status: { phase: "Pending", containerStatuses: [container("a", { state: { waiting: {} } })] },
    want: "Pending",
  },
  {
    name: "the first of two containers that wait",
    spec: containers("a", "b"),
    status: {
      phase: "Pending",
      containerStatuses: [container("a", waits("ImagePullBackOff")), container("b", waits("ErrImagePull"))],
    },
    want: "ImagePullBackOff",
    ready: "0/2",
  },
  {
    name: "an end with a reason",
    status: { phase: "Failed", containerStatuses: [container("a", ended(1, "Error"))] },
    want: "Error",
  },
  {
    name: "an end by a signal",
    status: { phase: "Failed", containerStatuses: [container("a", ended(137, undefined, 9))] },
    want: "Signal:9",
  },
  {
    name: "an end with nothing but a code",
    status: { phase: "Failed", containerStatuses: [container("a", ended(3))] },
    want: "ExitCode:3",
  },
  {
    name: "one container done and one running in a Pod that is Ready",
    spec: containers("a", "b"),
    status: {
      phase: "Running",
      conditions: [ready],
      containerStatuses: [container("a", ended(0, "Completed")), container("b", running)],
    },
    want: "Running",
    ready: "1/2",
  },
  {
    name: "one container done and one running in a Pod that is not Ready",
    spec: containers("a", "b"),
    status: {
      phase: "Running",
      containerStatuses: [container("a", ended(0, "Completed")), container("b", running)],
    },
    want: "NotReady",
    ready: "1/2",
  },
  {
    name: "one container done and one failed",
    spec: containers("a", "b"),
    status: {
      phase: "Failed",
      containerStatuses: [container("a", ended(0, "Completed")), container("b", ended(2, "Error"))],
    },
    want: "Error",
  },
  {
    name: "all containers done",
    status: { phase: "Succeeded", containerStatuses: [container("a", ended(0, "Completed"))] },
    want: "Completed",
  },
  {
    name: "the first init container at work",
    spec: inits("i", "j"),
    status: { phase: "Pending", initContainerStatuses: [container("i", running), container("j")] },
    want: "Init:0/2",
  },
  {
    name: "the second init container about to begin",
    spec: inits("i", "j"),
    status: {
      phase: "Pending",
      initContainerStatuses: [
        container("i", ended(0, "Completed")),
        container("j", waits("PodInitializing")),
      ],
    },
    want: "Init:1/2",
  },
  {
    name: "an init container that waits",
    spec: inits("i"),
    status: { phase: "Pending", initContainerStatuses: [container("i", waits("ErrImagePull"))] },
    want: "Init:ErrImagePull",
  },
  {
    name: "an init container that failed with a reason",
    spec: inits("i"),
    status: { phase: "Pending", initContainerStatuses: [container("i", ended(1, "Error"))] },
    want: "Init:Error",
  },
  {
    name: "an init container ended by a signal",
    spec: inits("i"),
    status: { phase: "Pending", initContainerStatuses: [container("i", ended(9, undefined, 15))] },
    want: "Init:Signal:15",
  },
  {
    name: "an init container that failed with a code",
    spec: inits("i"),
    status: { phase: "Pending", initContainerStatuses: [container("i", ended(4))] },
    want: "Init:ExitCode:4",
  },
  {
    name: "restarts of init containers while they go on",
    spec: inits("i", "j"),
    status: {
      phase: "Pending",
      initContainerStatuses: [
        container("i", { restartCount: 2, ...waits("CrashLoopBackOff") }),
        container("j", { restartCount: 9 }),
      ],
    },
    want: "Init:CrashLoopBackOff",
    restarts: "2",
  },
  {
    name: "no restarts of init containers once they are done",
    spec: inits("i"),
    status: {
      phase: "Running",
      initContainerStatuses: [container("i", { restartCount: 2, ...ended(0) })],
      containerStatuses: [container("a", running)],
    },
    want: "Running",
    ready: "1/1",
    restarts: "0",
  },
  {
    name: "a sidecar that runs beside the container",
    spec: sidecar("s"),
    status: {
      phase: "Running",
      initContainerStatuses: [container("s", { ...running, restartCount: 1 })],
      containerStatuses: [container("a", { ...running, restartCount: 2 })],
    },
    want: "Running",
    ready: "2/2",
    restarts: "3",
  },
  {
    name: "a sidecar that has not started",
    spec: sidecar("s"),
    status: { phase: "Pending", initContainerStatuses: [container("s", { state: { running: {} } })] },
    want: "Init:0/1",
    ready: "0/2",
  },
  {
    name: "a sidecar that crashes after the Pod was initialized",
    spec: sidecar("s"),
    status: {
      phase: "Running",
      conditions: [condition("Initialized", "True")],
      initContainerStatuses: [container("s", { restartCount: 4, ...waits("CrashLoopBackOff") })],
      containerStatuses: [container("a", running)],
    },
    want: "Init:CrashLoopBackOff",
    ready: "1/2",
    restarts: "4",
  },
  {
    name: "when a container last restarted",
    status: {
      phase: "Running",
      containerStatuses: [
        container("a", {
          ...running,
          restartCount: 3,
          lastState: { terminated: { exitCode: 1, finishedAt: "2026-01-01T11:55:00Z" } },
        }),
      ],
    },
    want: "Running",
    restarts: "3 (5m ago)",
  },
  { name: "a deletion", deleted: true, status: { phase: "Running" }, want: "Terminating" },
  {
    name: "a deletion over an init container's state",
    deleted: true,
    spec: inits("i"),
    status: { phase: "Pending", initContainerStatuses: [container("i", waits("ErrImagePull"))] },
    want: "Terminating",
  },
  {
    name: "a deletion on a lost node",
    deleted: true,
    status: { phase: "Running", reason: "NodeLost" },
    want: "Unknown",
  },
  {
    name: "the end of a deleted Pod that has ended",
    deleted: true,
    status: { phase: "Succeeded", containerStatuses: [container("a", ended(0, "Completed"))] },
    want: "Completed",
  },
];
