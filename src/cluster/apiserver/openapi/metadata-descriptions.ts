import type { TypeDescriptions } from "../kinds/kind-presentation.ts";

/** Types that belong to no single kind. */
export const metadataDescriptions: TypeDescriptions = {
  "meta.v1.Condition": {
    about: "One aspect of an object's state: true, false or unknown, since when, and why.",
    fields: {
      type: "The type of the condition.",
      status: "True, False or Unknown.",
      observedGeneration: "The generation that the condition describes.",
      lastTransitionTime: "When the status last changed.",
      reason: "The reason, as one CamelCase word.",
      message: "The reason, as a sentence.",
    },
  },
  "meta.v1.DeleteOptions": {
    about: "How to delete an object: grace period, preconditions, and what happens to its dependents.",
    fields: {
      gracePeriodSeconds: "How long the object has to shut down; 0 removes it at once.",
      propagationPolicy: "Background, Foreground or Orphan: what happens to the dependents of the object.",
      preconditions: "What must be true of the object for it to be deleted.",
      dryRun: "`All` to validate the request without deleting.",
    },
  },
  "meta.v1.LabelSelector": {
    about: "Selects objects by their labels. An empty selector matches all objects, an absent one none.",
    fields: {
      matchLabels: "Labels an object must have, with these values.",
      matchExpressions: "Further requirements; all of them must hold.",
    },
  },
  "meta.v1.ObjectMeta": {
    about: "Metadata that objects of all kinds have.",
    fields: {
      name: "The object's name, unique among its kind in its namespace. Cannot be changed.",
      generateName: "A prefix for a name that the server completes.",
      namespace: "The namespace the object is in.",
      uid: "Identifies the object among all objects that ever had its name.",
      resourceVersion:
        "Changes with every write. An update that carries it fails if the object has changed since.",
      generation: "Increases with every change of the desired state.",
      creationTimestamp: "When the object was created.",
      deletionTimestamp:
        "When the object is to be removed: the time of the delete request plus the grace period.",
      deletionGracePeriodSeconds: "How long the object has to shut down gracefully.",
      labels: "Keys and values by which objects are selected.",
      annotations:
        "Keys and values that users and tools attach to the object; objects are not selected by them.",
      ownerReferences:
        "Objects that this one depends on; once all of them are gone, the garbage collector deletes it.",
      finalizers: "Controllers that have to finish their work before the object is removed.",
      managedFields: "Which client manages which field.",
    },
  },
  "meta.v1.OwnerReference": {
    about: "A reference to an owner; once all owners are gone, the garbage collector deletes the object.",
    fields: {
      apiVersion: "The owner's API version.",
      kind: "The owner's kind.",
      name: "The owner's name.",
      uid: "The owner's UID.",
      controller: "Whether the owner is the managing controller.",
      blockOwnerDeletion: "Whether a foreground deletion of the owner waits for this object.",
    },
  },
  "meta.v1.Status": {
    about: "The result of a request that returns no object.",
    fields: {
      metadata: "Metadata of the list, where the request was about one.",
      status: "Success, or Failure.",
      message: "What happened, as a sentence.",
      reason: "Why the request failed, as one CamelCase word.",
      details: "The object of the request, and every error that was found in it.",
      code: "The HTTP status code.",
    },
  },
  "meta.v1.ListMeta": {
    fields: {
      resourceVersion: "The resource version of the list; a watch can start from it.",
      continue: "Where the next page begins; empty on the last one.",
      remainingItemCount: "About how many objects are left after this page.",
    },
  },
  "meta.v1.LabelSelectorRequirement": {
    fields: {
      key: "The key of the label.",
      operator: "In, NotIn, Exists or DoesNotExist.",
      values: "The values for In and NotIn.",
    },
  },
};
