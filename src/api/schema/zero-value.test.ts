import { expect, test } from "vitest";
import { zeroValue } from "./zero-value.ts";

test.for([
  { type: "apps.v1.DeploymentStatus", want: {} },
  { type: "apps.v1.ReplicaSetStatus", want: { replicas: 0 } },
  { type: "core.v1.ServiceStatus", want: { loadBalancer: {} } },
  { type: "autoscaling.v2.HorizontalPodAutoscalerStatus", want: { desiredReplicas: 0 } },
  { type: "storage.v1.VolumeAttachmentStatus", want: { attached: false } },
  { type: "none", want: {} },
])("the zero value of $type", ({ type, want }) => {
  expect(zeroValue(type)).toEqual(want);
});
