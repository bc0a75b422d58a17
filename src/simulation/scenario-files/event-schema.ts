import { maxInt32 } from "../../api/int-or-string.ts";
import {
  anyText,
  choice,
  duration,
  either,
  exactlyOneOf,
  flag,
  integer,
  list,
  map,
  object as jsonObject,
  record,
  text,
} from "../../api/documents/document-schema.ts";
import { featureGatesSchema } from "../../api/documents/feature-gates-schema.ts";
import { loadSchema } from "../../api/load/load-schema.ts";

/** An object that a scenario names. */
export const namedObject = text(
  "An object, as kubectl names it: `deployment/web`, `pod/web-1`, `node/node-3`.",
  {
    pattern: "^[A-Za-z][A-Za-z0-9.-]*/[^/]+$",
    errorMessage: "must be an object such as deployment/web",
  },
);
const workload = {
  ...namedObject,
  description: "A workload, as kubectl names it: `deployment/web`, `rs/web`.",
};
const namespace = text("Its namespace; `default` unless said otherwise.");

/** The load on the Pods of an object, as a member of a scenario and as an event. */
export const objectLoad = (description: string) =>
  record(
    description,
    { object: namedObject, namespace, metrics: loadSchema },
    { required: ["object", "metrics"] },
  );

const selector = text("A label selector, as `kubectl -l` takes it: `app=web`.");
const node = text("The name of a node.");
const zone = text("A zone: all nodes with this `topology.kubernetes.io/zone` label.");

/** Some Pods of a selector, in `delete`, `label` and `annotate`. */
const somePods = {
  selector,
  count: integer("How many of the selected Pods; all unless said otherwise.", [1, maxInt32]),
  which: choice("Which of them, if `count` is smaller; `oldest` unless said otherwise.", [
    "oldest",
    "youngest",
    "random",
    "busy",
    "idle",
  ]),
};

const objectOrPods = exactlyOneOf(["object", "selector"]);
const nodeOrZone = exactlyOneOf(["node", "zone"]);
const someNodes = (description: string) => record(description, { node, zone }, nodeOrZone);

/** A Kubernetes object; its own schema is checked as the API server does. */
export const manifest = jsonObject("A Kubernetes manifest.", {
  properties: { apiVersion: text("Such as `apps/v1`."), kind: text("Such as `Deployment`.") },
  required: ["apiVersion", "kind"],
});

const metadataMap = (description: string) =>
  map(
    description,
    either("A value.", "must be a text in quotes, or false to remove it", [
      anyText("The value."),
      flag("`false`: it is removed."),
    ]),
    { minProperties: 1 },
  );

/** What an event does, by the name of its member; an event has exactly one of them. */
export const actions = {
  apply: list("Creates these manifests, or changes the objects to them, as `kubectl apply`.", manifest, {
    minItems: 1,
  }),
  scale: record(
    "Sets the replicas of a workload.",
    { workload, namespace, replicas: integer("How many Pods it is to have.", [0, maxInt32]) },
    { required: ["workload", "replicas"] },
  ),
  setImage: record(
    "Gives a workload another image, which starts a rollout.",
    {
      workload,
      namespace,
      image: text("The image."),
      container: text("Its container; the first unless said otherwise."),
    },
    { required: ["workload", "image"] },
  ),
  restart: record(
    "Restarts a workload, as `kubectl rollout restart`.",
    { workload, namespace },
    { required: ["workload"] },
  ),
  patch: record(
    "Patches an object.",
    {
      object: namedObject,
      namespace,
      type: choice("The type of the patch; `strategic` unless said otherwise.", [
        "strategic",
        "merge",
        "json",
      ]),
      subresource: choice("Patches this subresource.", ["status", "scale"]),
      patch: either(
        "The patch: an object, or a list of operations for `json`.",
        "must be an object, or a list of operations",
        [jsonObject("Fields."), list("Operations.", jsonObject("An operation."))],
      ),
    },
    { required: ["object", "patch"] },
  ),
  delete: record(
    "Deletes an object, or Pods of a selector.",
    { object: namedObject, namespace, ...somePods },
    objectOrPods,
  ),
  label: record(
    "Labels an object, or Pods of a selector.",
    { object: namedObject, namespace, ...somePods, labels: metadataMap("The labels; `false` removes one.") },
    { ...objectOrPods, required: ["labels"] },
  ),
  annotate: record(
    "Annotates an object, or Pods of a selector.",
    {
      object: namedObject,
      namespace,
      ...somePods,
      annotations: metadataMap("The annotations; `false` removes one."),
    },
    { ...objectOrPods, required: ["annotations"] },
  ),
  cordon: someNodes("Nodes take no more Pods."),
  uncordon: someNodes("Nodes take Pods again."),
  drain: someNodes(
    "Cordons nodes and evicts their Pods, as far as disruption budgets allow; tries again every 5 s.",
  ),
  down: someNodes("Nodes fail: their kubelets are silent, as after a power cut."),
  up: someNodes("Nodes that were down return."),
  load: objectLoad("Changes the load on the Pods of an object from now on."),
  slowTermination: record(
    "From now on Pods take this long to end after SIGTERM: those of a selector, or all of a namespace that are not told otherwise.",
    { selector, namespace, delay: duration("How long.") },
    { required: ["delay"] },
  ),
  featureGates: {
    ...featureGatesSchema,
    description: "Switches feature gates.",
    minProperties: 1,
  },
};

/** The name of what an event does. */
export type EventActionName = keyof typeof actions;

export const actionNames = Object.keys(actions) as EventActionName[];

export const event = record(
  "Something that happens at a time.",
  {
    at: duration("When it happens, from the beginning."),
    every: duration("It happens again after so long."),
    times: integer("How often it happens in all, with `every`.", [1, 100_000]),
    mayFail: flag("The run goes on and passes where the API server refuses this event."),
    ...actions,
  },
  { required: ["at"], ...exactlyOneOf(actionNames) },
);
