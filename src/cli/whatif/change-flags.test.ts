import { expect, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { deployment } from "../../testing/deployment.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { daemonSet } from "../../testing/daemon-set.ts";
import { statefulSet } from "../../testing/stateful-set.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { readChanges } from "./change-flags.ts";

const two = deployment("two");
const containers = [{ name: "app" }, { name: "proxy" }];
const objects = {
  ...noObjects,
  nodes: [node("node-1", { zone: "eu-a" }), node("node-2", { zone: "eu-b" })],
  deployments: [
    deployment("web"),
    { ...two, spec: { ...two.spec, template: { ...two.spec.template, spec: { containers } } } },
  ],
  replicaSets: [replicaSet("old")],
  statefulSets: [statefulSet("db", { image: "db:1" })],
  daemonSets: [daemonSet("agent")],
  pods: [pod("web-1")],
};

const read = (flags: Readonly<Record<string, readonly string[]>>) =>
  readChanges(flags, { objects, namespace: "default" });

const web = { workload: "deployment/web", namespace: "default" };

test("failures come before changes of workloads, whatever the order of the flags", () => {
  expect(
    read({
      delete: ["pod/web-1"],
      scale: ["web=3", "rs/old=0", "sts/db=1"],
      restart: ["deploy/web", "ds/agent"],
      image: ["web=app:2", "sts/db=db:2", "two:proxy=proxy:7"],
      drain: ["node-2"],
      cordon: ["node-2"],
      "node-down": ["node-1"],
      "zone-down": ["eu-a"],
    }),
  ).toEqual({
    ok: true,
    changes: [
      { down: { zone: "eu-a" } },
      { down: { node: "node-1" } },
      { cordon: { node: "node-2" } },
      { drain: { node: "node-2" } },
      { setImage: { ...web, container: "app", image: "app:2" } },
      { setImage: { ...web, workload: "statefulset/db", container: "app", image: "db:2" } },
      { setImage: { ...web, workload: "deployment/two", container: "proxy", image: "proxy:7" } },
      { restart: web },
      { restart: { ...web, workload: "daemonset/agent" } },
      { scale: { ...web, replicas: 3 } },
      { scale: { ...web, workload: "replicaset/old", replicas: 0 } },
      { scale: { ...web, workload: "statefulset/db", replicas: 1 } },
      { delete: { object: "pod/web-1", namespace: "default" } },
    ],
  });
});

test.for([
  {
    flags: {},
    want: "say what to change: --scale, --image, --restart, --zone-down, --node-down, --cordon, --drain, --delete",
  },
  {
    flags: { scale: ["wbe=3"] },
    want: "--scale wbe=3: there is no Deployment wbe in namespace default; did you mean web?",
  },
  { flags: { scale: ["web"] }, want: "--scale web: a workload and its size are needed, such as web=3" },
  { flags: { scale: ["web=-1"] }, want: "--scale web=-1: a workload and its size are needed, such as web=3" },
  {
    flags: { scale: ["sts/bd=3"] },
    want: "--scale sts/bd=3: there is no StatefulSet bd in namespace default; did you mean db?",
  },
  { flags: { scale: ["job/report=3"] }, want: "--scale job/report=3: Jobs are not simulated" },
  {
    flags: { scale: ["ds/agent=3"] },
    want: "--scale ds/agent=3: only Deployments, ReplicaSets, ReplicationControllers and StatefulSets can be changed",
  },
  {
    flags: { scale: ["widget/a=3"] },
    want: "--scale widget/a=3: only Deployments, ReplicaSets, ReplicationControllers and StatefulSets can be changed",
  },
  {
    flags: { restart: ["rs/web-1"] },
    want: "--restart rs/web-1: only Deployments, StatefulSets and DaemonSets can be changed",
  },
  {
    flags: { scale: ["dploy/web=3"] },
    want: '--scale dploy/web=3: scale-down does not know the kind "dploy"; did you mean deploy/web?',
  },
  { flags: { "zone-down": ["b"] }, want: "--zone-down b: there is no such zone; did you mean eu-b?" },
  { flags: { "zone-down": ["moon"] }, want: "--zone-down moon: there is no such zone; there are eu-a, eu-b" },
  { flags: { drain: ["nod-1"] }, want: "--drain nod-1: there is no such node; did you mean node-1?" },
  {
    flags: { image: ["web"] },
    want: "--image web: a Deployment and an image are needed, such as web=nginx:1.29",
  },
  {
    flags: { image: ["two=app:2"] },
    want: "--image two=app:2: it has several containers: name one, such as two:app=app:2",
  },
  {
    flags: { image: ["two:prxy=a"] },
    want: "--image two:prxy=a: there is no such container; did you mean proxy?",
  },
  {
    flags: { delete: ["web-2"] },
    want: "--delete web-2: there is no Pod web-2 in namespace default; did you mean web-1?",
  },
])("bad input gets: $want", ({ flags, want }) => {
  expect(read(flags)).toEqual({ ok: false, problems: [want] });
});
