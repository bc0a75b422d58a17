import { describe, expect, test } from "vitest";
import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { ReplicationController, Service } from "../../api/generated/core-v1.ts";
import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { deriveSelector, servicesOf } from "./derived-selector.ts";
import { podInfo } from "./objects/pod-info.ts";
import { clusterViewOf, type PlacementObjects } from "./view/list-view.ts";

const metadata = (name: string, namespace = "default") => ({
  name,
  namespace,
  uid: `uid-of-${name}`,
  resourceVersion: "1",
});
const service = (name: string, selector?: Record<string, string>, namespace = "default"): Service => ({
  metadata: metadata(name, namespace),
  spec: selector === undefined ? {} : { selector },
});
const controller = (name: string, selector: Record<string, string>): ReplicationController => ({
  metadata: metadata(name),
  spec: { selector },
});
const statefulSet = (name: string, key: string): StatefulSet => ({
  metadata: metadata(name),
  spec: { selector: { matchExpressions: [{ key, operator: "Exists" }] }, template: {} },
});
const byRs = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "rs" };
const web = service("web", { foo: "bar" });

const derive = (objects: Omit<PlacementObjects, "nodes">, owner?: typeof byRs) => {
  const given = pod("p", { labels: { foo: "bar", baz: "" }, ...(owner === undefined ? {} : { owner }) });
  const { selection, from } = deriveSelector(podInfo(given), clusterViewOf({ nodes: [], ...objects }));
  return [formatLabelSelection(selection), ...from.map(({ kind, name }) => `${kind}/${name}`)];
};

describe("what selects a Pod", () => {
  test.for<{ name: string; objects: Omit<PlacementObjects, "nodes">; owner?: typeof byRs; want: string[] }>([
    { name: "is nothing when no object does", objects: {}, want: [""] },
    { name: "is its Service", objects: { services: [web] }, want: ["foo=bar", "Service/web"] },
    {
      name: "is all its Services together",
      objects: { services: [web, service("other", { baz: "" }), service("no", { foo: "x" })] },
      want: ["baz=,foo=bar", "Service/web", "Service/other"],
    },
    {
      name: "is its Service and its ReplicaSet",
      objects: { services: [web], replicaSets: [replicaSet("rs")] },
      owner: byRs,
      want: ["app=web,foo=bar,pod-template-hash=rs", "Service/web", "ReplicaSet/rs"],
    },
    {
      name: "is its Service and its ReplicationController, which wins where they differ",
      objects: { services: [web], replicationControllers: [controller("rc", { foo: "else", baz: "" })] },
      owner: { apiVersion: "v1", kind: "ReplicationController", name: "rc" },
      want: ["baz=,foo=else", "Service/web", "ReplicationController/rc"],
    },
    {
      name: "is its Service and its StatefulSet",
      objects: { services: [web], statefulSets: [statefulSet("ss", "baz")] },
      owner: { apiVersion: "apps/v1", kind: "StatefulSet", name: "ss" },
      want: ["baz,foo=bar", "Service/web", "StatefulSet/ss"],
    },
    {
      name: "is its ReplicaSet alone",
      objects: { replicaSets: [replicaSet("rs")] },
      owner: byRs,
      want: ["app=web,pod-template-hash=rs", "ReplicaSet/rs"],
    },
    {
      name: "is its Service when its ReplicaSet is gone",
      objects: { services: [web] },
      owner: byRs,
      want: ["foo=bar", "Service/web"],
    },
    {
      name: "is not a controller of another kind, or of another version",
      objects: { replicaSets: [replicaSet("rs")] },
      owner: { ...byRs, apiVersion: "extensions/v1beta1" },
      want: [""],
    },
    {
      name: "is not a ReplicaSet of another namespace",
      objects: { replicaSets: [replicaSet("rs", { namespace: "other" })] },
      owner: byRs,
      want: [""],
    },
    {
      name: "is not a controller whose selector cannot be read",
      objects: {
        statefulSets: [
          {
            ...statefulSet("ss", "baz"),
            spec: {
              selector: { matchExpressions: [{ key: "baz", operator: "Near" }] },
              template: {},
            },
          },
        ],
      },
      owner: { apiVersion: "apps/v1", kind: "StatefulSet", name: "ss" },
      want: [""],
    },
  ])("$name", ({ objects, owner, want }) => {
    expect(derive(objects, owner)).toEqual(want);
  });
});

describe("a Service selects a Pod", () => {
  test.for([
    { name: "that has its label", selector: { foo: "bar" }, want: true },
    { name: "that has all its labels", selector: { foo: "bar", baz: "" }, want: true },
    { name: "not one with another value", selector: { foo: "baz" }, want: false },
    { name: "not one that has only some of its labels", selector: { foo: "bar", missing: "" }, want: false },
    { name: "not without a selector", want: false },
    { name: "not one of another namespace", selector: { foo: "bar" }, namespace: "other", want: false },
  ])("$name", ({ selector, namespace, want }) => {
    const services = [service("web", selector, namespace)];
    const facts = podInfo(pod("p", { labels: { foo: "bar", baz: "" } }));
    expect(servicesOf(facts, clusterViewOf({ nodes: [], services })).length === 1).toBe(want);
  });
});
