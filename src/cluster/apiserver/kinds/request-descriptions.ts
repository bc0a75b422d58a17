import type { TypeDescriptions } from "./kind-presentation.ts";

/** Kinds of requests, which are answered and never stored. */
export const requestDescriptions: TypeDescriptions = {
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
  "policy.v1.Eviction": {
    about: "Requests the eviction of a Pod, if its disruption budget allows it.",
  },
};
