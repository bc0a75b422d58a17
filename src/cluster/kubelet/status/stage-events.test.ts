import { expect, test } from "vitest";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { pod } from "../../../testing/pod.ts";
import type { PodStage, Run } from "../lifecycle/pod-stage.ts";
import { stageEvents } from "./stage-events.ts";

const web: Pod = {
  ...pod("web"),
  spec: {
    initContainers: [{ name: "migrate", image: "migrate:1", imagePullPolicy: "IfNotPresent" }],
    containers: [
      { name: "app", image: "app", imagePullPolicy: "Always" },
      { name: "log", image: "log:1", imagePullPolicy: "Never" },
    ],
  },
};
const present = (image: string) =>
  `Container image "${image}" already present on machine and can be accessed by the pod`;
const pulled = 'Successfully pulled image "app" in 0s (0s including waiting). Image size: 0 bytes.';

const first: Run = { since: 0, restarts: 0, backOffs: 0 };
const admitted: PodStage = { name: "admitted", until: 0 };
const initializing: PodStage = { name: "initializing", until: 1, index: 0, since: 0, restarts: 0 };
const running: PodStage = { name: "running", until: undefined, run: first, since: 0, wasReady: false };
const pulling = { name: "image-back-off", until: 1, image: "log:1", message: "failed" } as const;

test.for<{ name: string; stage: PodStage; previous: PodStage; want: readonly string[] }>([
  {
    name: "of an init container that starts",
    stage: initializing,
    previous: admitted,
    want: [
      `spec.initContainers{migrate} Pulled: ${present("migrate:1")}`,
      "spec.initContainers{migrate} Created: Container created",
      "spec.initContainers{migrate} Started: Container started",
    ],
  },
  {
    name: "of containers that start, by the policy of pulling their images",
    stage: running,
    previous: initializing,
    want: [
      'spec.containers{app} Pulling: Pulling image "app"',
      `spec.containers{app} Pulled: ${pulled}`,
      "spec.containers{app} Created: Container created",
      "spec.containers{app} Started: Container started",
      `spec.containers{log} Pulled: ${present("log:1")}`,
      "spec.containers{log} Created: Container created",
      "spec.containers{log} Started: Container started",
    ],
  },
  {
    name: "of an image that cannot be pulled again",
    stage: { ...pulling, attempt: 2 },
    previous: { ...pulling, attempt: 1 },
    want: [
      'spec.containers{log} Pulling: Pulling image "log:1"',
      "spec.containers{log} Failed: Failed",
      "spec.containers{log} Failed: Error: ErrImagePull",
      'spec.containers{log} BackOff: Back-off pulling image "log:1"',
      "spec.containers{log} Failed: Error: ImagePullBackOff",
    ],
  },
  {
    name: "of a Pod that is evicted",
    stage: { name: "failed", reason: "Evicted", message: "no memory", ran: true },
    previous: running,
    want: ["web Evicted: no memory"],
  },
])("the events $name are those of a kubelet", ({ stage, previous, want }) => {
  const said = stageEvents(stage, previous, web).map(
    ({ regarding, reason, message }) => `${regarding.fieldPath ?? regarding.name} ${reason}: ${message}`,
  );
  expect(said).toEqual(want);
});
