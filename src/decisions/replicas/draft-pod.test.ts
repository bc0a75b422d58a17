import { expect, test } from "vitest";
import { compileLabelMap } from "../../api/labels/compile-label-selector.ts";
import { replicaSets, replicationControllers } from "../../api/resources.ts";
import { deepFreeze } from "../../testing/deep-freeze.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { draftPod } from "./draft-pod.ts";

const selection = compileLabelMap({ app: "web" });
const options = { resource: replicaSets, selection };

const base = replicaSet("web");
const labels = { app: "web", tier: "front" };

function withTemplate(metadata: object, spec: object = { containers: [{ name: "app", image: "nginx" }] }) {
  return deepFreeze({ ...base, spec: { ...base.spec, template: { metadata, spec: spec as never } } });
}

test("the Pod has the template's labels, annotations, finalizers and spec, and its owner as controller", () => {
  const owner = withTemplate({
    name: "ignored",
    labels,
    annotations: { note: "kept" },
    finalizers: ["example.com/wait"],
    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "ignored", uid: "ignored" }],
  });
  expect(draftPod(owner, options)).toEqual({
    ok: true,
    pod: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        generateName: "web-",
        namespace: "default",
        labels,
        annotations: { note: "kept" },
        finalizers: ["example.com/wait"],
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "ReplicaSet",
            name: "web",
            uid: "uid-of-web",
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: { containers: [{ name: "app", image: "nginx" }] },
    },
  });
});

test("the Pod of a ReplicationController names one as its owner", () => {
  const draft = draftPod(withTemplate({ labels }), { resource: replicationControllers, selection });
  expect(draft.ok && draft.pod.metadata.ownerReferences?.[0]).toMatchObject({
    apiVersion: "v1",
    kind: "ReplicationController",
  });
});

test.for([
  { name: "a dash where it fits", length: 253, dash: true },
  { name: "no dash where the name is as long as names get", length: 254, dash: false },
])("the name of the Pod begins with the owner's and $name", ({ length, dash }) => {
  const name = "w".repeat(length);
  const owner = withTemplate({ labels });
  const draft = draftPod({ ...owner, metadata: { ...owner.metadata, name } }, options);
  expect(draft.ok && draft.pod.metadata.generateName).toBe(dash ? `${name}-` : name);
});

test.for([
  { name: "has no labels", metadata: {}, problem: "unable to create pods, no labels" },
  {
    name: "has labels its owner does not select",
    metadata: { labels: { app: "other" } },
    problem: "unable to create pods, the selector does not match the template's labels",
  },
])("no Pod can be made of a template that $name", ({ metadata, problem }) => {
  expect(draftPod(withTemplate(metadata), options)).toEqual({ ok: false, problem });
});
