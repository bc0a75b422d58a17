import { type KubectlSession, refused } from "./kubectl-session.ts";

const pod = (name: string, labels: string) =>
  `run ${name} --image=nginx --labels=${labels} --overrides='{"spec":{"nodeName":"node-5"}}'`;

/** Waiting, deleting, and emptying nodes. */
export const endingSessions: readonly KubectlSession[] = [
  {
    name: "conditions and deletions are waited for",
    namespace: "waiting",
    commands: [
      pod("web", "app=web"),
      "wait --for=jsonpath='{.status.phase}'=Running pod/web --timeout=10s",
      "wait --for=condition=Ready pods -l app=web --timeout=10s",
      refused("wait --for=condition=Broken pod/web --timeout=0s"),
      refused("wait --for=condition=Ready pod/other --timeout=1s"),
      "wait --for=delete pod/other --timeout=1s",
      "delete pod web --wait=false",
      "wait --for=delete pod/web --timeout=10s",
    ],
  },
  {
    name: "Pods are deleted by name, by label, all of them, gently and at once",
    namespace: "deleting",
    commands: [
      pod("a", "app=one"),
      pod("b", "app=one"),
      pod("c", "app=two"),
      pod("d", "app=three"),
      "wait --for=condition=Ready pods --all --timeout=10s",
      "delete pod d --dry-run=server",
      "delete pod a --grace-period=1",
      "delete pods -l app=one",
      "delete pod c --grace-period=0 --force",
      "get pods -o name",
      "delete pods --all",
      "delete pods --all",
      refused("delete pod a"),
      "delete pod a --ignore-not-found",
    ],
  },
  {
    name: "a namespace is deleted with its contents, and initial ones stay",
    namespace: "clearing",
    commands: [
      "create namespace team",
      "create configmap settings --from-literal=a=b -n team",
      "get namespace team",
      "describe namespace team",
      "delete namespace team --timeout=20s",
      "wait --for=delete namespace/team --timeout=10s",
      refused("get configmaps settings -n team"),
      refused("create configmap settings -n team"),
      refused("delete namespace kube-system"),
    ],
  },
  {
    name: "a node is cordoned, tainted and described",
    namespace: "tending",
    commands: [
      "cordon node-6",
      "get node node-6",
      "cordon node-6",
      "uncordon node-6",
      "taint node node-6 dedicated=games:NoSchedule",
      "get node node-6 -o jsonpath='{.spec.taints}'",
      "taint node node-6 dedicated:NoSchedule-",
      "describe node node-6 --show-events=false",
    ],
  },
  {
    name: "a node is drained by evicting its Pods",
    namespace: "draining",
    commands: [
      `run web --image=nginx --overrides='{"spec":{"nodeName":"node-7"}}'`,
      "wait --for=condition=Ready pod/web --timeout=10s",
      refused("drain node-7"),
      "drain node-7 --force --timeout=20s",
      "get pods",
      "get node node-7",
      "uncordon node-7",
    ],
  },
  {
    name: "what is not supported, or not there, is refused",
    namespace: "refusing",
    commands: [
      pod("web", "app=web"),
      "wait --for=condition=Ready pod/web --timeout=10s",
      refused("get mutatingadmissionpolicies"),
      refused("certificate approve me"),
    ],
  },
];

/** kubectl itself takes seconds for these. */
export const lengthySessions: readonly KubectlSession[] = [
  {
    name: "a node is drained only as far as a disruption budget allows",
    namespace: "budgeting",
    commands: [
      `run web --image=nginx --labels=app=web --overrides='{"spec":{"nodeName":"node-8"}}'`,
      "wait --for=condition=Ready pod/web --timeout=10s",
      "create poddisruptionbudget web --selector=app=web --min-available=1",
      `wait --for=jsonpath='{.status.observedGeneration}'=1 pdb/web --timeout=10s`,
      refused("drain node-8 --force --timeout=1s"),
      "get pods",
      `patch pdb web --type=merge -p '{"spec":{"minAvailable":0}}'`,
      `wait --for=jsonpath='{.status.disruptionsAllowed}'=1 pdb/web --timeout=10s`,
      "drain node-8 --force --timeout=20s",
      "get pdb web -o jsonpath='{.status.disruptionsAllowed}'",
      "uncordon node-8",
    ],
  },
];
