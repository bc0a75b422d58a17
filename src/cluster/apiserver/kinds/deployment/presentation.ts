import type { Deployment } from "../../../../api/generated/apps-v1.ts";
import { ageOf, countOrZero } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import {
  templateCells,
  templateColumns,
  terminatingCell,
  terminatingColumn,
} from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const deploymentTable: TableDescription<Deployment> = {
  columns: [
    nameColumn,
    column("Ready", "Pods that are ready, of the desired number."),
    column("Up-to-date", "Pods that run the current template.", "integer"),
    column("Available", "Pods that have been ready for long enough.", "integer"),
    ageColumn,
    ...templateColumns,
    terminatingColumn,
  ],

  cells(deployment, now) {
    const { spec, status } = deployment;
    return [
      deployment.metadata.name,
      `${countOrZero(status?.readyReplicas)}/${spec.replicas ?? 1}`,
      countOrZero(status?.updatedReplicas),
      countOrZero(status?.availableReplicas),
      ageOf(deployment, now),
      ...templateCells(spec),
      terminatingCell(status),
    ];
  },
};

const deploymentDescriptions: TypeDescriptions = {
  "apps.v1.Deployment": {
    about: "Keeps Pods of one template running and replaces them gradually when the template changes.",
  },
  "apps.v1.DeploymentSpec": {
    fields: {
      replicas: "The desired number of Pods; 1 by default.",
      selector: "Which Pods belong to this Deployment. Must match the template's labels; cannot be changed.",
      template: "The template that the Pods are created from. A change starts a rollout.",
      strategy: "How old Pods are replaced by new ones.",
      minReadySeconds: "How long a Pod must have been ready to count as available.",
      revisionHistoryLimit: "How many old ReplicaSets are kept for rollbacks; 10 by default.",
      paused: "While true, changes of the template start no rollout.",
      progressDeadlineSeconds:
        "How long a rollout may make no progress before the Progressing condition reports it as failed.",
      podReplacementPolicy:
        "When the replacement of a terminating Pod is created during a rollout or scaling. TerminationStarted: as soon as the Pod starts to terminate, so there may be more Pods than replicas plus surge for a while. TerminationComplete: only after the Pod has terminated, so there never are; rollouts and scaling take longer, and the Deployment is complete only when no old Pod is terminating. Unset, a RollingUpdate behaves as with TerminationStarted, and a Recreate creates new Pods only after the old ones have terminated but scales as with TerminationStarted. Pods deleted by other clients are replaced at once with either policy.",
      downscalePodPicker:
        "A service that is asked which Pods to delete first whenever Pods of this Deployment are removed. It only breaks ties: Pods that are not ready, or have a lower deletion cost, are still deleted before the Pods it names. The field is copied to the ReplicaSets; changing it starts no rollout.",
    },
  },
  "apps.v1.DeploymentStrategy": {
    fields: {
      type: "RollingUpdate replaces Pods gradually; Recreate deletes all old Pods first.",
      rollingUpdate: "How many Pods a rolling update may add or take away at a time.",
    },
  },
  "apps.v1.RollingUpdateDeployment": {
    fields: {
      maxUnavailable:
        "The number or percentage of Pods that may be unavailable during the update. Rounded down.",
      maxSurge:
        "The number or percentage of Pods that may exist beyond replicas during the update. Rounded up.",
    },
  },
  "apps.v1.DeploymentStatus": {
    fields: {
      observedGeneration: "The generation that the rest of the status describes.",
      replicas: "Non-terminating Pods.",
      updatedReplicas: "Non-terminating Pods of the current template.",
      readyReplicas: "Non-terminating Pods that are ready.",
      availableReplicas: "Non-terminating Pods that have been ready for minReadySeconds.",
      unavailableReplicas: "Pods still missing for the Deployment to be fully available.",
      terminatingReplicas: "Pods that are being deleted and have not terminated yet.",
      conditions: "Whether the Deployment is available, progressing, and able to create Pods.",
      collisionCount: "How often the name of a new ReplicaSet was already in use.",
    },
  },
};

export const deploymentPresentation: KindPresentation = {
  table: deploymentTable,
  descriptions: deploymentDescriptions,
};
