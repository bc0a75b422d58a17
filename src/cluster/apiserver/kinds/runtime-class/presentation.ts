import type { RuntimeClass } from "../../../../api/generated/node-v1.ts";
import { ageOf, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const runtimeClassTable: TableDescription<Unchecked<RuntimeClass>> = {
  columns: [nameColumn, column("Handler", "The name of the runtime on nodes."), ageColumn],
  cells: (runtimeClass, now) => [
    runtimeClass.metadata.name,
    textOrEmpty(runtimeClass.handler),
    ageOf(runtimeClass, now),
  ],
};

export const runtimeClassPresentation: KindPresentation = {
  table: runtimeClassTable,
  descriptions: {
    "node.v1.RuntimeClass": {
      about: "How the containers of a Pod are run: what that takes, and on which nodes it is possible.",
      fields: {
        handler: "The name of the runtime on nodes.",
        overhead: "What each Pod takes beside its containers.",
      },
    },
  },
};
