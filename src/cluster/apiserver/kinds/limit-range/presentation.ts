import type { KindPresentation } from "../kind-presentation.ts";

export const limitRangePresentation: KindPresentation = {
  descriptions: {
    "core.v1.LimitRange": {
      about: "Default, minimum and maximum resource amounts for objects in a namespace.",
    },
  },
};
