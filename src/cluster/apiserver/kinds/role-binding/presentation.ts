import type { RoleBinding, Subject } from "../../../../api/generated/rbac-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { ageOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  wideColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

/** The table of RoleBindings and ClusterRoleBindings. */
const bindingTable: TableDescription<Unchecked<RoleBinding>> = {
  columns: [
    nameColumn,
    column("Role", "The role that is bound, with its kind."),
    ageColumn,
    wideColumn("Users", "The users it is bound to."),
    wideColumn("Groups", "The groups it is bound to."),
    wideColumn("ServiceAccounts", "The service accounts it is bound to."),
  ],

  cells(binding, now) {
    const { metadata, roleRef = {}, subjects = [] } = binding;
    return [
      metadata.name,
      `${roleRef.kind ?? ""}/${roleRef.name ?? ""}`,
      ageOf(binding, now),
      names(subjects, "User"),
      names(subjects, "Group"),
      names(subjects, "ServiceAccount"),
    ];
  },
};

function names(subjects: readonly Sent<Subject>[], wanted: string): string {
  return subjects
    .filter(({ kind }) => kind === wanted)
    .map(({ name = "", namespace = "" }) => (namespace === "" ? name : `${namespace}/${name}`))
    .join(", ");
}

export const roleBindingPresentation: KindPresentation = {
  table: bindingTable,
  descriptions: {
    "rbac.v1.RoleBinding": {
      about: "Grants a role to users, groups or ServiceAccounts in one namespace.",
    },
  },
};

export const clusterRoleBindingPresentation: KindPresentation = {
  table: bindingTable,
  descriptions: {
    "rbac.v1.ClusterRoleBinding": {
      about: "Grants a ClusterRole to users, groups or ServiceAccounts in the whole cluster.",
    },
  },
};
