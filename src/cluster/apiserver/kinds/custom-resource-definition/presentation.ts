import { defaultTable } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

export const customResourceDefinitionPresentation: KindPresentation = {
  table: defaultTable,
  descriptions: {
    "apiextensions.v1.CustomResourceDefinition": {
      about: "A kind that the API server serves besides its own: its names, its versions and their schemas.",
    },
    "apiextensions.v1.CustomResourceDefinitionSpec": {
      about: "The kind as it is wanted.",
      fields: {
        group: "The API group of the kind.",
        names: "The names of the kind and of its resource.",
        scope: "Whether objects are in namespaces: Namespaced or Cluster.",
        versions: "The versions of the kind, of which one is stored.",
        conversion: "How objects of one version become those of another.",
        preserveUnknownFields: "Obsolete: whether fields that the schema does not have are kept.",
      },
    },
    "apiextensions.v1.CustomResourceDefinitionVersion": {
      about: "A version of the kind.",
      fields: {
        name: "The name of the version, such as v1.",
        served: "Whether requests may use the version.",
        storage: "Whether objects are stored in this version.",
        schema: "What objects of the version look like.",
        subresources: "Whether objects have the subresources status and scale.",
        additionalPrinterColumns: "The columns that kubectl get shows.",
        selectableFields: "The fields that field selectors may name.",
        deprecated: "Whether requests get a warning.",
        deprecationWarning: "The text of that warning.",
      },
    },
  },
};
