import type { RuntimeClass } from "../../../../api/generated/node-v1.ts";
import type { ComponentStatus, PodTemplate, PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import { ageOf, labelMapText, textOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import { containerCells } from "../../tables/template-columns.ts";
import { bindingTable } from "./access-tables.ts";
import { ingressClassTable, ipAddressTable, networkPolicyTable, serviceCidrTable } from "./network-tables.ts";
import {
  csiDriverTable,
  csiNodeTable,
  csiStorageCapacityTable,
  persistentVolumeTable,
  storageClassTable,
  volumeAttachmentTable,
  volumeAttributesClassTable,
} from "./storage-tables.ts";

const podTemplateTable: TableDescription<Unchecked<PodTemplate>> = {
  columns: [
    nameColumn,
    column("Containers", "The names of the containers in the template."),
    column("Images", "The images of the containers in the template."),
    column("Pod Labels", "The labels of Pods that are made from the template."),
  ],
  cells: ({ metadata, template }) => [
    metadata.name,
    ...containerCells(template as PodTemplateSpec | undefined),
    labelMapText(template?.metadata?.labels),
  ],
};

const runtimeClassTable: TableDescription<Unchecked<RuntimeClass>> = {
  columns: [nameColumn, column("Handler", "The name of the runtime on nodes."), ageColumn],
  cells: (runtimeClass, now) => [
    runtimeClass.metadata.name,
    textOf(runtimeClass.handler),
    ageOf(runtimeClass, now),
  ],
};

const componentStatusTable: TableDescription<Unchecked<ComponentStatus>> = {
  columns: [
    nameColumn,
    column("Status", "Whether the component is healthy."),
    column("Message", "What it says."),
    column("Error", "What went wrong."),
  ],
  cells({ metadata, conditions = [] }) {
    const { status, message, error } = conditions.find(({ type }) => type === "Healthy") ?? {};
    return [metadata.name, status === "True" ? "Healthy" : "Unhealthy", textOf(message), textOf(error)];
  },
};

/** The tables of kinds that are data to this server, by group and kind; kinds that are acted on have presentations. */
export const plainTables: ReadonlyMap<string, TableDescription> = new Map<string, TableDescription<never>>([
  ["ComponentStatus", componentStatusTable],
  ["PersistentVolume", persistentVolumeTable],
  ["PodTemplate", podTemplateTable],
  ["RuntimeClass.node.k8s.io", runtimeClassTable],
  ["IngressClass.networking.k8s.io", ingressClassTable],
  ["IPAddress.networking.k8s.io", ipAddressTable],
  ["NetworkPolicy.networking.k8s.io", networkPolicyTable],
  ["ServiceCIDR.networking.k8s.io", serviceCidrTable],
  ["ClusterRoleBinding.rbac.authorization.k8s.io", bindingTable],
  ["RoleBinding.rbac.authorization.k8s.io", bindingTable],
  ["CSIDriver.storage.k8s.io", csiDriverTable],
  ["CSINode.storage.k8s.io", csiNodeTable],
  ["CSIStorageCapacity.storage.k8s.io", csiStorageCapacityTable],
  ["StorageClass.storage.k8s.io", storageClassTable],
  ["VolumeAttachment.storage.k8s.io", volumeAttachmentTable],
  ["VolumeAttributesClass.storage.k8s.io", volumeAttributesClassTable],
]);
