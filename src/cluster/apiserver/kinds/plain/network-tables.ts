import type {
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from "../../../../api/generated/networking-v1.ts";
import type { LabelSelector } from "../../../../api/generated/meta-v1.ts";
import { ageOf, none, selectorText, textOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";

export const networkPolicyTable: TableDescription<Unchecked<NetworkPolicy>> = {
  columns: [nameColumn, column("Pod-Selector", "Which Pods the policy is for, by their labels."), ageColumn],
  cells: (policy, now) => [
    policy.metadata.name,
    selectorText((policy.spec?.podSelector ?? {}) as LabelSelector),
    ageOf(policy, now),
  ],
};

export const ingressClassTable: TableDescription<Unchecked<IngressClass>> = {
  columns: [
    nameColumn,
    column("Controller", "The controller of the class."),
    column("Parameters", "The object with further settings of the controller."),
    ageColumn,
  ],
  cells(ingressClass, now) {
    const { controller, parameters } = ingressClass.spec ?? {};
    const { apiGroup = "", kind = "", name = "" } = parameters ?? {};
    return [
      ingressClass.metadata.name,
      textOf(controller),
      parameters === undefined ? none : `${[kind, apiGroup].filter(Boolean).join(".")}/${name}`,
      ageOf(ingressClass, now),
    ];
  },
};

export const ipAddressTable: TableDescription<Unchecked<IPAddress>> = {
  columns: [nameColumn, column("ParentRef", "The object that has the address."), ageColumn],
  cells(address, now) {
    const { group = "", resource = "", namespace = "", name = "" } = address.spec?.parentRef ?? {};
    const where = [[resource, group].filter(Boolean).join("."), namespace, name].filter(Boolean).join("/");
    return [address.metadata.name, where || none, ageOf(address, now)];
  },
};

export const serviceCidrTable: TableDescription<Unchecked<ServiceCIDR>> = {
  columns: [nameColumn, column("CIDRs", "The address ranges."), ageColumn],
  cells: (range, now) => [range.metadata.name, (range.spec?.cidrs ?? []).join(","), ageOf(range, now)],
};
