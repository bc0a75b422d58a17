import type { Command, KubectlSession } from "./kubectl-session.ts";

/** Applies a ReplicaSet of web servers. Where Pods are adopted their names are known, which made ones are not. */
function apply(replicas: number): Command {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "nginx" }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  const replicaSet = { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "web" }, spec };
  return { words: "apply -f -", input: JSON.stringify(replicaSet) };
}

const orphan = (name: string) => `run ${name} --image=nginx --labels=app=web`;
const ready = (name: string) => `wait --for=condition=Ready pod/${name} --timeout=10s`;
const until = (field: string, value: number) =>
  `wait --for=jsonpath='{.status.${field}}'=${value} replicaset/web --timeout=10s`;
const ownerOf = (name: string) => `get pod ${name} -o jsonpath='{.metadata.ownerReferences[*].name}'`;

/** ReplicaSets at a terminal. */
export const replicaSetSessions: readonly KubectlSession[] = [
  {
    name: "a ReplicaSet is scaled up, down and to nothing",
    namespace: "scaling",
    commands: [
      apply(2),
      until("availableReplicas", 2),
      "get replicaset web",
      "scale replicaset web --replicas=3 --timeout=10s",
      until("readyReplicas", 3),
      "scale replicaset web --current-replicas=3 --replicas=1",
      until("replicas", 1),
      until("terminatingReplicas", 0),
      "get rs web -o wide",
      "scale replicaset web --replicas=0",
      until("replicas", 0),
      until("terminatingReplicas", 0),
      // One that has ended counts no more and may still be there for a moment.
      "get pods --field-selector=status.phase!=Succeeded",
    ],
  },
  {
    name: "a ReplicaSet adopts a Pod, lets it go when it is relabelled, and takes it back",
    namespace: "relabelling",
    commands: [
      orphan("spare"),
      ready("spare"),
      apply(1),
      until("availableReplicas", 1),
      ownerOf("spare"),
      "label pod spare app=debugged --overwrite",
      "scale replicaset web --replicas=2",
      until("availableReplicas", 2),
      ownerOf("spare"),
      "annotate pod spare controller.kubernetes.io/pod-deletion-cost=-1",
      "label pod spare app=web --overwrite",
      "wait --for=delete pod/spare --timeout=10s",
      until("replicas", 2),
      "get replicaset web",
    ],
  },
  {
    name: "a ReplicaSet is deleted with its Pods, before them, after them, and without them",
    namespace: "cascading",
    commands: [
      orphan("a"),
      ready("a"),
      apply(1),
      until("availableReplicas", 1),
      "delete replicaset web --cascade=orphan",
      "get pods",
      ownerOf("a"),
      apply(1),
      until("availableReplicas", 1),
      ownerOf("a"),
      "delete replicaset web --cascade=background",
      "wait --for=delete pod/a --timeout=10s",
      orphan("b"),
      ready("b"),
      apply(1),
      until("availableReplicas", 1),
      "delete replicaset web --cascade=foreground",
      "get pods",
    ],
  },
];
