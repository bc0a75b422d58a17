import type { Namespace } from "../../../../api/generated/core-v1.ts";
import { ageOf, textOrEmpty } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const namespaceTable: TableDescription<Namespace> = {
  columns: [nameColumn, column("Status", "Active, or Terminating."), ageColumn],
  cells: (namespace, now) => [
    namespace.metadata.name,
    textOrEmpty(namespace.status?.phase),
    ageOf(namespace, now),
  ],
};

const namespaceDescriptions: TypeDescriptions = {
  "core.v1.Namespace": {
    about: "A scope for names: objects of one kind may have the same name in different namespaces.",
  },
  "core.v1.NamespaceSpec": {
    fields: {
      finalizers: "Controllers that have to finish their work before the namespace is removed.",
    },
  },
  "core.v1.NamespaceStatus": {
    fields: {
      phase: "Active, or Terminating.",
      conditions: "What blocks the deletion of the namespace.",
    },
  },
};

export const namespacePresentation: KindPresentation = {
  table: namespaceTable,
  descriptions: namespaceDescriptions,
};
