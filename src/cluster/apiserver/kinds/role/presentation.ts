import type { KindPresentation } from "../kind-presentation.ts";

export const rolePresentation: KindPresentation = {
  descriptions: {
    "rbac.v1.Role": {
      about: "A set of permissions in one namespace.",
    },
  },
};

export const clusterRolePresentation: KindPresentation = {
  descriptions: {
    "rbac.v1.ClusterRole": {
      about: "A set of permissions for the whole cluster.",
    },
  },
};
