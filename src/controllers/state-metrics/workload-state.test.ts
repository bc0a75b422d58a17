import { expect, test } from "vitest";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { deployment } from "../../testing/deployment.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { exposeWorkloadState } from "./workload-state.ts";

async function linesOf(deployments: readonly Deployment[], replicaSets: readonly ReplicaSet[] = []) {
  const metrics = prometheusMetrics();
  exposeWorkloadState(metrics, { deployments: () => deployments, replicaSets: () => replicaSets });
  return (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

const web = 'namespace="default",deployment="web"';

test("a Deployment is shown as kube-state-metrics does", async () => {
  const status = {
    observedGeneration: 3,
    replicas: 12,
    updatedReplicas: 5,
    readyReplicas: 9,
    availableReplicas: 8,
    unavailableReplicas: 4,
    terminatingReplicas: 2,
    conditions: [{ type: "Progressing", status: "True", reason: "ReplicaSetUpdated" }],
  } as const;
  const one = deployment("web", {
    replicas: 10,
    generation: 4,
    status,
    maxSurge: "25%",
    maxUnavailable: "25%",
  });
  expect(await linesOf([one])).toEqual([
    `kube_deployment_created{${web}} 1767225600`,
    `kube_deployment_metadata_generation{${web}} 4`,
    `kube_deployment_spec_replicas{${web}} 10`,
    `kube_deployment_spec_paused{${web}} 0`,
    `kube_deployment_spec_strategy_rollingupdate_max_unavailable{${web}} 2`,
    `kube_deployment_spec_strategy_rollingupdate_max_surge{${web}} 3`,
    `kube_deployment_status_observed_generation{${web}} 3`,
    `kube_deployment_status_replicas{${web}} 12`,
    `kube_deployment_status_replicas_ready{${web}} 9`,
    `kube_deployment_status_replicas_available{${web}} 8`,
    `kube_deployment_status_replicas_unavailable{${web}} 4`,
    `kube_deployment_status_replicas_updated{${web}} 5`,
    `kube_deployment_status_replicas_terminating{${web}} 2`,
    `kube_deployment_status_condition{${web},reason="ReplicaSetUpdated",condition="Progressing",status="true"} 1`,
    `kube_deployment_status_condition{${web},reason="ReplicaSetUpdated",condition="Progressing",status="false"} 0`,
    `kube_deployment_status_condition{${web},reason="ReplicaSetUpdated",condition="Progressing",status="unknown"} 0`,
  ]);
});

test("terminating Pods that are not counted have no sample, and a count of 0 has one", async () => {
  const terminating = async (status: Deployment["status"]) =>
    (await linesOf([deployment("web", { status: status ?? {} })])).filter((line) =>
      line.includes("terminating"),
    );
  expect(await terminating({})).toEqual([]);
  expect(await terminating({ terminatingReplicas: 0 })).toEqual([
    `kube_deployment_status_replicas_terminating{${web}} 0`,
  ]);
});

test("a Deployment that is recreated has no limits of a rolling update", async () => {
  const lines = await linesOf([deployment("web", { strategy: "Recreate", paused: true })]);
  expect(lines.filter((line) => line.includes("rollingupdate"))).toEqual([]);
  expect(lines).toContain(`kube_deployment_spec_paused{${web}} 1`);
});

test("the limits of a rolling update are shown as they are asked for, even if both are 0", async () => {
  const lines = await linesOf([deployment("web", { replicas: 3, maxSurge: 0, maxUnavailable: "25%" })]);
  expect(lines.filter((line) => line.includes("rollingupdate"))).toEqual([
    `kube_deployment_spec_strategy_rollingupdate_max_unavailable{${web}} 0`,
    `kube_deployment_spec_strategy_rollingupdate_max_surge{${web}} 0`,
  ]);
});

test("a ReplicaSet is shown as kube-state-metrics does, with its owner", async () => {
  const { metadata, ...rest } = replicaSet("web-1", { size: 3 });
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u", controller: true };
  const one: ReplicaSet = {
    ...rest,
    metadata: { ...metadata, ownerReferences: [owner] },
    status: {
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 1,
    },
  };
  const lines = await linesOf([], [one]);
  const own = 'namespace="default",replicaset="web-1"';
  expect(lines).toEqual(
    expect.arrayContaining([
      `kube_replicaset_spec_replicas{${own}} 3`,
      `kube_replicaset_status_replicas{${own}} 2`,
      `kube_replicaset_status_fully_labeled_replicas{${own}} 2`,
      `kube_replicaset_status_ready_replicas{${own}} 1`,
      `kube_replicaset_status_terminating_replicas{${own}} 1`,
      `kube_replicaset_status_observed_generation{${own}} 1`,
      `kube_replicaset_owner{${own},owner_kind="Deployment",owner_name="web",owner_is_controller="true"} 1`,
    ]),
  );
});
