import type { TypeDescriptions } from "./kind-presentation.ts";

/** Kinds that are described in one sentence and have no folder of their own. */
export const briefDescriptions: TypeDescriptions = {
  "authentication.v1.SelfSubjectReview": {
    about: "Returns the user that the request is authenticated as.",
  },
  "authentication.v1.TokenRequest": {
    about: "Requests a token for a ServiceAccount.",
  },
  "authentication.v1.TokenReview": {
    about: "Checks a token and returns the user it belongs to.",
  },
  "authorization.v1.LocalSubjectAccessReview": {
    about: "Checks whether a user may perform an action in one namespace.",
  },
  "authorization.v1.SelfSubjectAccessReview": {
    about: "Checks whether the requesting user may perform an action.",
  },
  "authorization.v1.SelfSubjectRulesReview": {
    about: "Lists the actions that the requesting user may perform in a namespace.",
  },
  "authorization.v1.SubjectAccessReview": {
    about: "Checks whether a user may perform an action.",
  },
  "core.v1.Binding": {
    about: "Binds a Pod to a node.",
  },
  "core.v1.ComponentStatus": {
    about: "The health of a control plane component. Deprecated.",
  },
  "core.v1.LimitRange": {
    about: "Default, minimum and maximum resource amounts for objects in a namespace.",
  },
  "node.v1.RuntimeClass": {
    about: "How the containers of a Pod are run: what that takes, and on which nodes it is possible.",
    fields: {
      handler: "The name of the runtime on nodes.",
      overhead: "What each Pod takes beside its containers.",
    },
  },
  "core.v1.PersistentVolume": {
    about: "Storage that outlives Pods. Stored here, never provisioned.",
  },
  "core.v1.PodTemplate": {
    about: "A template for Pods, stored on its own.",
  },
  "networking.v1.IPAddress": {
    about: "An allocated IP address. Stored here, not run.",
  },
  "networking.v1.IngressClass": {
    about: "The controller that implements an Ingress. Stored here, not run.",
  },
  "networking.v1.NetworkPolicy": {
    about: "Which Pods may connect to which. Stored here, not enforced.",
  },
  "networking.v1.ServiceCIDR": {
    about: "A range from which Services get their addresses. Stored here, not run.",
  },
  "policy.v1.Eviction": {
    about: "Requests the eviction of a Pod, if its disruption budget allows it.",
  },
  "rbac.v1.ClusterRole": {
    about: "A set of permissions for the whole cluster.",
  },
  "rbac.v1.ClusterRoleBinding": {
    about: "Grants a ClusterRole to users, groups or ServiceAccounts in the whole cluster.",
  },
  "rbac.v1.Role": {
    about: "A set of permissions in one namespace.",
  },
  "rbac.v1.RoleBinding": {
    about: "Grants a role to users, groups or ServiceAccounts in one namespace.",
  },
  "storage.v1.CSIDriver": {
    about: "A storage driver. Stored here, not run.",
  },
  "storage.v1.CSINode": {
    about: "The storage drivers of a node. Stored here, not run.",
  },
  "storage.v1.CSIStorageCapacity": {
    about: "The storage capacity that is left in a part of the cluster. Stored here, not run.",
  },
  "storage.v1.StorageClass": {
    about: "A class of storage that claims can request. Stored here, not run.",
  },
  "storage.v1.VolumeAttachment": {
    about: "A volume attached to a node. Stored here, not run.",
  },
  "storage.v1.VolumeAttributesClass": {
    about: "Attributes that a volume can be modified to have. Stored here, not run.",
  },
};
