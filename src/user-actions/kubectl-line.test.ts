import { expect, test } from "vitest";
import { describeAction, describeSupposition } from "./describe-action.ts";
import { kubectlLine } from "./kubectl-line.ts";
import type { UserAction } from "./user-action.ts";

const web = { kind: "Deployment", namespace: "default", name: "web" } as const;
const shop = { ...web, namespace: "shop" };

interface Row {
  readonly action: UserAction;
  readonly line: string;
  readonly says: string;
  readonly supposes: string;
}

const rows: readonly Row[] = [
  {
    action: { action: "scale", ...web, replicas: 3 },
    line: "kubectl scale deployment/web -n default --replicas=3",
    says: "scale deployment/web to 3",
    supposes: "deployment/web is scaled to 3",
  },
  {
    action: { action: "scale", ...shop, kind: "ReplicationController", replicas: 0 },
    line: "kubectl scale replicationcontroller/web -n shop --replicas=0",
    says: "scale replicationcontroller/web in namespace shop to 0",
    supposes: "replicationcontroller/web is scaled to 0",
  },
  {
    action: { action: "set-image", ...web, container: "app", image: "app:2" },
    line: "kubectl set image deployment/web -n default app=app:2",
    says: "set the image of container app of deployment/web to app:2",
    supposes: "container app of deployment/web gets the image app:2",
  },
  {
    action: { action: "set-image", ...web, image: "app:2" },
    line: `kubectl patch deployment/web -n default --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"app:2"}]'`,
    says: "set the image of deployment/web to app:2",
    supposes: "deployment/web gets the image app:2",
  },
  {
    action: { action: "set-template", ...web, template: { metadata: {} } },
    line: `kubectl patch deployment/web -n default --type=json -p '[{"op":"replace","path":"/spec/template","value":{"metadata":{}}}]'`,
    says: "set the template of deployment/web",
    supposes: "deployment/web gets another template",
  },
  {
    action: { action: "restart", ...web },
    line: "kubectl rollout restart deployment/web -n default",
    says: "restart deployment/web",
    supposes: "deployment/web is restarted",
  },
  {
    action: { action: "pause", ...web },
    line: "kubectl rollout pause deployment/web -n default",
    says: "pause deployment/web",
    supposes: "deployment/web is paused",
  },
  {
    action: { action: "undo", ...web, toRevision: 4 },
    line: "kubectl rollout undo deployment/web -n default --to-revision=4",
    says: "roll back deployment/web to revision 4",
    supposes: "deployment/web is rolled back to revision 4",
  },
  {
    action: { action: "cordon", node: "node-1" },
    line: "kubectl cordon node-1",
    says: "cordon node-1",
    supposes: "node-1 is cordoned",
  },
  {
    action: { action: "uncordon", zone: "eu-1" },
    line: "kubectl uncordon -l topology.kubernetes.io/zone=eu-1",
    says: "uncordon zone eu-1",
    supposes: "zone eu-1 is uncordoned",
  },
  {
    action: { action: "drain", node: "n1" },
    line: "kubectl drain n1 --ignore-daemonsets --delete-emptydir-data --force",
    says: "drain node n1",
    supposes: "node n1 is drained",
  },
  {
    action: { action: "fail", node: "node-1" },
    line: "kubectl annotate node node-1 sim.trimtab.dev/unreachable=true --overwrite",
    says: "node-1 fails",
    supposes: "node-1 fails",
  },
  {
    action: { action: "restore", node: "node-1" },
    line: "kubectl annotate node node-1 sim.trimtab.dev/unreachable-",
    says: "node-1 returns",
    supposes: "node-1 returns",
  },
  {
    action: { action: "fail", zone: "zone-a" },
    line: "kubectl annotate nodes -l topology.kubernetes.io/zone=zone-a sim.trimtab.dev/unreachable=true --overwrite",
    says: "zone-a fails",
    supposes: "zone-a fails",
  },
  {
    action: { action: "evict", namespace: "default", name: "web-1" },
    line: `kubectl create --raw /api/v1/namespaces/default/pods/web-1/eviction -f - <<'EOF'
{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"namespace":"default","name":"web-1"}}
EOF`,
    says: "evict pod/web-1",
    supposes: "Pod web-1 is evicted",
  },
  {
    action: { action: "delete", kind: "Pod", namespace: "default", name: "web-1" },
    line: "kubectl delete pod/web-1 -n default",
    says: "delete pod/web-1",
    supposes: "Pod web-1 is deleted",
  },
  {
    action: { action: "delete", ...web, propagationPolicy: "Orphan", gracePeriodSeconds: 0 },
    line: "kubectl delete deployment/web -n default --cascade=orphan --grace-period=0 --force",
    says: "delete deployment/web",
    supposes: "deployment/web is deleted",
  },
  {
    action: { action: "label", ...web, labels: { app: "a b", old: null } },
    line: "kubectl label deployment/web -n default 'app=a b' old- --overwrite",
    says: "label deployment/web: app=a b, old-",
    supposes: "deployment/web is labelled: app=a b, old-",
  },
  {
    action: { action: "annotate", kind: "Node", name: "node-1", annotations: { a: null } },
    line: "kubectl annotate node/node-1 a-",
    says: "annotate node/node-1: a-",
    supposes: "node/node-1 is annotated: a-",
  },
  {
    action: {
      action: "patch",
      ...web,
      patch: { type: "merge", body: { spec: { replicas: 1 } } },
      subresource: "scale",
    },
    line: `kubectl patch deployment/web -n default --type=merge -p '{"spec":{"replicas":1}}' --subresource=scale`,
    says: "patch deployment/web",
    supposes: "deployment/web is patched",
  },
  {
    action: { action: "apply", manifest: { kind: "ConfigMap", metadata: { name: "a", namespace: "b" } } },
    line: `kubectl apply -f - <<'EOF'
{"kind":"ConfigMap","metadata":{"name":"a","namespace":"b"}}
EOF`,
    says: "apply ConfigMap b/a",
    supposes: "ConfigMap b/a is applied",
  },
];

test.for(rows)("$says", ({ action, line, says, supposes }) => {
  expect(kubectlLine(action)).toBe(line);
  expect(describeAction(action)).toBe(says);
  expect(describeSupposition(action)).toBe(supposes);
});

test("a name that no object has is one word of the shell all the same", () => {
  expect(kubectlLine({ action: "cordon", node: "a; rm -rf 'x'" })).toBe(
    String.raw`kubectl cordon 'a; rm -rf '\''x'\'''`,
  );
});
