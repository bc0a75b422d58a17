import { expect, test } from "vitest";
import type { Namespace, Node, Pod } from "../../../api/generated/core-v1.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { node } from "../../../testing/node.ts";
import { behaviourOf } from "./behaviour-of.ts";

const annotations = { "sim.trimtab.dev/startDelay": "1s", "sim.trimtab.dev/jitter": "0.5" };
const labels = { app: "web" };
const metadata = { namespace: "shop", name: "web", uid: "u", resourceVersion: "1", annotations, labels };
const web: Pod = { metadata, spec: { containers: [] } };
const status = { containerStatuses: [{ name: "web", image: "", imageID: "", ready: true, restartCount: 1 }] };

interface Reading {
  readonly pod?: Pod;
  readonly on?: Node;
  readonly namespace?: Readonly<Record<string, string>>;
  readonly identity?: string;
}

const plain = node("node-1");
const toldForPods = { ...plain, metadata: { ...plain.metadata, annotations: never() } };

function read({ pod = web, on = plain, namespace = {}, identity = "shop/web/0" }: Reading) {
  const found = { metadata: { name: "shop", uid: "n", resourceVersion: "1", annotations: namespace } };
  const namespaces = { get: () => found } as unknown as Informer<Namespace>;
  return behaviourOf(pod, on, { namespaces, identity }).behaviour;
}

test.for<Reading & { readonly what: string }>([
  { what: "its annotations change", pod: withMetadata({ annotations: { ...annotations, ...never() } }) },
  { what: "its labels change", pod: withMetadata({ labels: { "sim.trimtab.dev/profile": "stubborn" } }) },
  { what: "its namespace is told something", namespace: never() },
  { what: "it is on another node", on: toldForPods },
  { what: "it is of another owner", identity: "shop/api/0" },
  { what: "its containers run again", pod: { ...web, status } },
])("a Pod that was read before is read again when $what", ({ what: _what, ...changed }) => {
  const before = read({});
  expect(read(changed)).not.toEqual(before);
  expect(read({})).toEqual(before);
});

test("a later version of a Pod that is told the same behaves the same", () => {
  const later = { ...web, metadata: { ...metadata, resourceVersion: "2" } };
  expect(read({ pod: later })).toEqual(read({}));
});

function withMetadata(changed: Partial<Pod["metadata"]>): Pod {
  return { ...web, metadata: { ...metadata, ...changed } };
}

function never() {
  return { "sim.trimtab.dev/neverReady": "true" };
}
