import { expect, test } from "vitest";
import { compileLabelMap } from "./labels/compile-label-selector.ts";
import { type PodTraits, pod } from "../testing/pod.ts";
import { replicaSet } from "../testing/replica-set.ts";
import { type Claim, claimOf } from "./claim.ts";

const deletedAt = "2026-01-01T01:00:00Z";
const selection = compileLabelMap({ app: "web" });

interface Case extends PodTraits {
  readonly name: string;
  /** The UID of the controller; without one the Pod is an orphan. */
  readonly controller?: string;
  /** The UID of an owner that is no controller. */
  readonly other?: string;
  readonly isOwnerDeleted?: boolean;
  readonly want: Claim;
}

const our = "uid-of-rs";
const strange = { app: "strange" };

const cases: readonly Case[] = [
  { name: "keeps its own Pod", controller: our, want: "ours" },
  {
    name: "keeps its own Pod while it is being deleted itself",
    controller: our,
    isOwnerDeleted: true,
    want: "ours",
  },
  { name: "keeps its own Pod that is being deleted", controller: our, deletedAt, want: "ours" },
  {
    name: "releases its own Pod that it no longer selects",
    controller: our,
    labels: strange,
    want: "release",
  },
  {
    name: "releases nothing while it is being deleted itself",
    controller: our,
    labels: strange,
    isOwnerDeleted: true,
    want: "not ours",
  },
  { name: "adopts an orphan", want: "adopt" },
  { name: "adopts a Pod that names an owner but no controller", other: "uid-of-other", want: "adopt" },
  { name: "adopts a Pod that names it as an owner but not as controller", other: our, want: "adopt" },
  { name: "adopts no orphan it does not select", labels: strange, want: "not ours" },
  { name: "adopts no orphan while it is being deleted itself", isOwnerDeleted: true, want: "not ours" },
  { name: "adopts no orphan that is being deleted", deletedAt, want: "not ours" },
  { name: "adopts no orphan of another namespace", namespace: "elsewhere", want: "not ours" },
  { name: "adopts no orphan without a UID", uid: "", want: "not ours" },
  { name: "leaves another's Pod alone", controller: "uid-of-other", want: "not ours" },
  {
    name: "leaves another's Pod alone that it does not select",
    controller: "uid-of-other",
    labels: strange,
    want: "not ours",
  },
  {
    name: "leaves the Pod of an earlier owner of the same name alone",
    controller: "uid-of-earlier-rs",
    want: "not ours",
  },
];

test.for(cases)("an owner $name", ({ controller, other, isOwnerDeleted, want, name: _name, ...traits }) => {
  const claimant = { owner: replicaSet("rs", isOwnerDeleted === true ? { deletedAt } : {}), selection };
  expect(claimOf(owned(pod("web-1", traits), controller, other), claimant)).toBe(want);
});

function owned(base: ReturnType<typeof pod>, controller?: string, other?: string) {
  const reference = (uid: string, isController: boolean) => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    name: "rs",
    uid,
    controller: isController,
  });
  const ownerReferences = [
    ...(other === undefined ? [] : [reference(other, false)]),
    ...(controller === undefined ? [] : [reference(controller, true)]),
  ];
  return { ...base, metadata: { ...base.metadata, ownerReferences } };
}
