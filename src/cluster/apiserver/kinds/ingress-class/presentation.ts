import type { IngressClass } from "../../../../api/generated/networking-v1.ts";
import { ageOf, noneText, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const ingressClassTable: TableDescription<Unchecked<IngressClass>> = {
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
      textOrEmpty(controller),
      parameters === undefined ? noneText : `${[kind, apiGroup].filter(Boolean).join(".")}/${name}`,
      ageOf(ingressClass, now),
    ];
  },
};

export const ingressClassPresentation: KindPresentation = {
  table: ingressClassTable,
  descriptions: {
    "networking.v1.IngressClass": {
      about: "The controller that implements an Ingress. Stored here, not run.",
    },
  },
};
