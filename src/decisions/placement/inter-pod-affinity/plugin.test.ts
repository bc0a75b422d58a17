import { describe, expect, test } from "vitest";
import type { Namespace, Pod, PodAffinityTerm, PodSpec } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import { preFilterOf, scoresOf, verdictsOf, type Waiting } from "../plugin-fixture.cases.ts";
import { interPodAffinity } from "./plugin.ts";
import type { InterPodAffinityArgs } from "./args.ts";

// a and b share a zone, x is in another, bare has no zone at all
const nodes = [node("a", { zone: "1" }), node("b", { zone: "1" }), node("x", { zone: "2" }), node("bare")];
const zone = "topology.kubernetes.io/zone";
const host = "kubernetes.io/hostname";

const term = (app: string, topologyKey = zone, more: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
  ...more,
});
type Kind = "podAffinity" | "podAntiAffinity";
const requires = (kind: Kind, ...terms: readonly PodAffinityTerm[]): Partial<PodSpec> => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const prefers = (
  kind: Kind,
  ...terms: readonly (readonly [number, PodAffinityTerm])[]
): Partial<PodSpec> => ({
  affinity: {
    [kind]: {
      preferredDuringSchedulingIgnoredDuringExecution: terms.map(([weight, podAffinityTerm]) => ({
        weight,
        podAffinityTerm,
      })),
    },
  },
});
const on = (nodeName: string, app: string, { spec, ...traits }: PodTraits = {}): Pod =>
  pod(`${app}-on-${nodeName}`, { ...traits, labels: { app, ...traits.labels }, spec: { ...spec, nodeName } });
const namespace = (name: string, labels: Record<string, string>): Namespace => ({
  metadata: { name, uid: name, resourceVersion: "1", labels },
  spec: {},
});

const notNear = "UAU: node(s) didn't match pod affinity rules";
const tooNear = "U: node(s) didn't match pod anti-affinity rules";
const unwelcome = "U: node(s) didn't satisfy existing pods anti-affinity rules";

interface FilterCase {
  readonly name: string;
  readonly waiting: Waiting;
  readonly pods?: readonly Pod[];
  readonly namespaces?: readonly Namespace[];
  /** For nodes a, b, x and bare; absent: the plugin has no filter. */
  readonly want?: readonly [string, string, string, string];
}

const filterCases: readonly FilterCase[] = [
  { name: "skips when no Pod has required terms", waiting: {}, pods: [on("a", "db")] },
  {
    name: "puts a Pod into the zone of those it wants near",
    waiting: { spec: requires("podAffinity", term("db")) },
    pods: [on("a", "db")],
    want: ["fits", "fits", notNear, notNear],
  },
  {
    name: "wants one Pod that all terms mean, not one for each",
    waiting: {
      spec: requires(
        "podAffinity",
        term("db"),
        term("db", host, { labelSelector: { matchLabels: { tier: "x" } } }),
      ),
    },
    pods: [on("a", "db"), on("b", "cache", { labels: { tier: "x" } })],
    want: [notNear, notNear, notNear, notNear],
  },
  {
    name: "lets the first of its kind start anywhere with the key",
    waiting: { labels: { app: "db" }, spec: requires("podAffinity", term("db")) },
    want: ["fits", "fits", "fits", notNear],
  },
  {
    name: "rejects the first Pod of a group that does not match its own term",
    waiting: { labels: { app: "web" }, spec: requires("podAffinity", term("db")) },
    want: [notNear, notNear, notNear, notNear],
  },
  {
    name: "does not count Pods on nodes without the key",
    waiting: { labels: { app: "db" }, spec: requires("podAffinity", term("db")) },
    pods: [on("bare", "db")],
    want: ["fits", "fits", "fits", notNear],
  },
  {
    name: "keeps a Pod out of the zone of those it wants far",
    waiting: { spec: requires("podAntiAffinity", term("db")) },
    pods: [on("a", "db")],
    want: [tooNear, tooNear, "fits", "fits"],
  },
  {
    name: "keeps a Pod from those who want it far, without a wish of its own",
    waiting: { labels: { app: "web" } },
    pods: [on("a", "db", { spec: requires("podAntiAffinity", term("web", host)) })],
    want: [unwelcome, "fits", "fits", "fits"],
  },
  {
    name: "names affinity first, anti-affinity next, and the others last",
    waiting: {
      labels: { app: "web" },
      spec: {
        affinity: {
          ...requires("podAffinity", term("db")).affinity,
          ...requires("podAntiAffinity", term("noisy", host)).affinity,
        },
      },
    },
    pods: [
      on("a", "db"),
      on("a", "noisy", { spec: requires("podAntiAffinity", term("web", zone)) }),
      on("x", "noisy"),
    ],
    want: [tooNear, unwelcome, notNear, notNear],
  },
  {
    name: "counts terminating Pods",
    waiting: { spec: requires("podAntiAffinity", term("db", host)) },
    pods: [on("a", "db", { deletedAt: "2026-01-01T00:00:00Z" })],
    want: [tooNear, "fits", "fits", "fits"],
  },
  {
    name: "means its own namespace unless it names others",
    waiting: { spec: requires("podAntiAffinity", term("db", host)) },
    pods: [on("a", "db", { namespace: "other" })],
    want: ["fits", "fits", "fits", "fits"],
  },
  {
    name: "means the namespaces it names",
    waiting: { spec: requires("podAntiAffinity", term("db", host, { namespaces: ["other"] })) },
    pods: [on("a", "db", { namespace: "other" }), on("b", "db")],
    want: [tooNear, "fits", "fits", "fits"],
  },
  {
    name: "means every namespace by an empty selector",
    waiting: { spec: requires("podAntiAffinity", term("db", host, { namespaceSelector: {} })) },
    pods: [on("a", "db", { namespace: "other" }), on("b", "db")],
    want: [tooNear, tooNear, "fits", "fits"],
  },
  {
    name: "means what a negative selector of namespaces says, not all it could be made to say",
    waiting: {
      spec: requires(
        "podAntiAffinity",
        term("db", host, {
          namespaceSelector: { matchExpressions: [{ key: "team", operator: "NotIn", values: ["red"] }] },
        }),
      ),
    },
    pods: [on("a", "db", { namespace: "red" }), on("b", "db", { namespace: "blue" })],
    namespaces: [namespace("red", { team: "red" }), namespace("blue", { team: "blue" })],
    want: ["fits", tooNear, "fits", "fits"],
  },
  {
    name: "asks for the labels of the Pod's own namespace when others mean it",
    waiting: { labels: { app: "web" } },
    pods: [
      on("a", "db", {
        namespace: "other",
        spec: requires(
          "podAntiAffinity",
          term("web", host, { namespaceSelector: { matchLabels: { team: "red" } } }),
        ),
      }),
    ],
    namespaces: [namespace("default", { team: "red" })],
    want: [unwelcome, "fits", "fits", "fits"],
  },
  {
    name: "does not hear Pods whose terms cannot be read",
    waiting: { labels: { app: "web" } },
    pods: [
      on("a", "db", {
        spec: requires("podAntiAffinity", term("web", host), {
          ...term("web"),
          labelSelector: { matchExpressions: [{ key: "app", operator: "Near" }] },
        }),
      }),
    ],
  },
];

test.for(filterCases)("InterPodAffinity $name", ({ waiting, pods = [], namespaces = [], want }) => {
  const cluster = { nodes, pods, namespaces };
  expect(preFilterOf(interPodAffinity(), waiting, cluster)?.filter === undefined).toBe(want === undefined);
  expect(Object.values(verdictsOf(interPodAffinity(), waiting, cluster))).toEqual(
    want ?? nodes.map(() => "fits"),
  );
});

test("InterPodAffinity refuses a Pod whose own terms cannot be read", () => {
  const unreadable = {
    ...term("db"),
    labelSelector: { matchExpressions: [{ key: "app", operator: "Near" }] },
  };
  const spec = requires("podAffinity", unreadable);
  const message = expect.stringContaining("parsing pod: ") as string;
  expect(preFilterOf(interPodAffinity(), { spec }, { nodes })?.refusal).toMatchObject({
    code: "UnschedulableAndUnresolvable",
    reasons: [message],
  });
  expect(scoresOf(interPodAffinity(), { spec }, { nodes })).toEqual(message);
});

interface ScoreCase {
  readonly name: string;
  readonly waiting: Waiting;
  readonly pods: readonly Pod[];
  readonly args?: InterPodAffinityArgs;
  /** For nodes a, b, x and bare; absent: no preference. */
  readonly want?: readonly [number, number, number, number];
}

describe("the score of InterPodAffinity", () => {
  test.for<ScoreCase>([
    { name: "is absent when no term matches", waiting: {}, pods: [on("a", "db")] },
    {
      name: "prefers the neighbours of those it wants near",
      waiting: { spec: prefers("podAffinity", [5, term("db")]) },
      pods: [on("a", "db"), on("x", "cache")],
      want: [100, 100, 0, 0],
    },
    {
      name: "adds up hosts and zones",
      waiting: { spec: prefers("podAffinity", [5, term("db")], [5, term("cache", host)]) },
      pods: [on("a", "db"), on("b", "cache")],
      want: [50, 100, 0, 0],
    },
    {
      name: "avoids the neighbours of those it wants far, and the least bad is 100",
      waiting: { spec: prefers("podAntiAffinity", [8, term("db", host)], [2, term("db")]) },
      pods: [on("a", "db")],
      want: [0, 80, 100, 100],
    },
    {
      name: "hears what Pods already there prefer",
      waiting: { labels: { app: "web" } },
      pods: [
        on("a", "db", { spec: prefers("podAffinity", [3, term("web", host)]) }),
        on("x", "db", { spec: prefers("podAntiAffinity", [1, term("web")]) }),
      ],
      want: [100, 25, 0, 25],
    },
    {
      name: "counts what Pods already there require as 1",
      waiting: { labels: { app: "web" } },
      pods: [on("a", "db", { spec: requires("podAffinity", term("web")) })],
      want: [100, 100, 0, 0],
    },
    {
      name: "counts it as much as it is told",
      waiting: { labels: { app: "web" } },
      pods: [
        on("a", "db", { spec: requires("podAffinity", term("web")) }),
        on("x", "db", { spec: prefers("podAffinity", [10, term("web")]) }),
      ],
      args: { hardPodAffinityWeight: 5 },
      want: [50, 50, 100, 0],
    },
    {
      name: "does not count it at 0",
      waiting: { labels: { app: "web" } },
      pods: [on("a", "db", { spec: requires("podAffinity", term("web")) })],
      args: { hardPodAffinityWeight: 0 },
    },
    {
      name: "is 0 everywhere, but there, when wishes cancel out",
      waiting: { spec: prefers("podAffinity", [4, term("db")]), labels: { app: "web" } },
      pods: [on("a", "db", { spec: prefers("podAntiAffinity", [4, term("web")]) })],
      want: [0, 0, 0, 0],
    },
    {
      name: "does not count what the Pod itself requires",
      waiting: { spec: requires("podAffinity", term("db")) },
      pods: [on("a", "db")],
    },
    {
      name: "can be spared for Pods without wishes",
      waiting: { labels: { app: "web" } },
      pods: [on("a", "db", { spec: prefers("podAffinity", [3, term("web")]) })],
      args: { ignorePreferredTermsOfExistingPods: true },
    },
  ])("$name", ({ waiting, pods, args, want }) => {
    const scores = scoresOf(interPodAffinity(args), waiting, { nodes, pods });
    expect(scores === undefined ? undefined : Object.values(scores)).toEqual(want);
  });
});
