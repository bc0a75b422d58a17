import { describe, expect, test } from "vitest";
import { pods } from "../../api/resources.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { ClientCall } from "../../machinery/client/intercept-client.ts";
import { pod } from "../../testing/pod.ts";
import { ScriptedApi } from "../../testing/scripted-api.ts";
import { observeClient } from "../../testing/observe-client.ts";
import { readClusterObjects, type ReadScope } from "./read-cluster-objects.ts";

const never = new AbortController().signal;

async function readFrom(
  api: ScriptedApi,
  scope: ReadScope,
  failure: (call: ClientCall) => Error | undefined = () => undefined,
) {
  const observed = observeClient(api);
  observed.failRequests(failure);
  return { read: await readClusterObjects(observed.client, scope, never), requests: observed.requests };
}

async function withPods(...namespaces: readonly string[]): Promise<ScriptedApi> {
  const api = new ScriptedApi();
  for (const [index, namespace] of namespaces.entries())
    await api.create(pods, pod(`web-${index}`, { namespace }));
  return api;
}

const forbidden = apiFailure(403, "Forbidden", "no");
const refuse =
  (collection: string, error: Error, namespace?: string | null) =>
  (call: ClientCall): Error | undefined =>
    call.collection === collection && (namespace === null || call.namespace === namespace)
      ? error
      : undefined;

describe("Reading the objects of a cluster", () => {
  test("gives every collection, and sends nothing but lists", async () => {
    const { read, requests } = await readFrom(await withPods("a", "b"), { required: [] });
    expect(read).toMatchObject({ ok: true, notes: [] });
    expect(read.ok && read.objects.pods.map(({ metadata }) => metadata.name)).toEqual(["web-0", "web-1"]);
    expect(new Set(requests.map(({ verb }) => verb))).toEqual(new Set(["list"]));
    expect(requests).toHaveLength(15);
  });

  test("goes on with the next page until there is none", async () => {
    const { read, requests } = await readFrom(await withPods(...Array<string>(1001).fill("a")), {
      collections: ["pods"],
      required: [],
    });
    expect(read.ok && read.objects.pods).toHaveLength(1001);
    expect(requests).toHaveLength(3);
  });

  test("lists all at once when the pages expire", async () => {
    let asked = 0;
    const { read } = await readFrom(
      await withPods(...Array<string>(501).fill("a")),
      { collections: ["pods"], required: [] },
      () => (++asked === 2 ? apiFailure(410, "Expired", "too old") : undefined),
    );
    expect(read.ok && read.objects.pods).toHaveLength(501);
  });

  test("asks for one namespace, but for what has none and what is wanted from all", async () => {
    const scope = { namespace: "a", wide: ["services"], required: [] } as const;
    const { read, requests } = await readFrom(await withPods("a", "b"), scope);
    expect(read.ok && read.objects.pods).toHaveLength(1);
    expect(
      requests.filter(({ namespace }) => namespace === undefined).map((call) => call.collection),
    ).toEqual([
      "namespaces",
      "nodes",
      "services",
      "priorityclasses.scheduling.k8s.io",
      "persistentvolumes",
      "storageclasses.storage.k8s.io",
    ]);
  });

  const only = { collections: ["pods"], required: ["pods"] } as const;
  test.each([
    {
      when: "a required permission is refused",
      scope: { ...only, namespace: "a" },
      failure: refuse("pods", forbidden, "a"),
      problems: ["permission to list pods in namespace a is missing (403 Forbidden)"],
    },
    {
      when: "a required permission for the cluster is refused",
      scope: { collections: ["nodes"], required: ["nodes"] } as const,
      failure: refuse("nodes", forbidden),
      problems: ["permission to list nodes in the whole cluster is missing (403 Forbidden)"],
    },
    {
      when: "two are",
      scope: { required: ["pods", "replicaSets"] } as const,
      failure: (call: ClientCall) =>
        ["pods", "replicasets.apps"].includes(call.collection) ? forbidden : undefined,
      problems: [
        "permission to list pods in the whole cluster is missing (403 Forbidden)",
        "permission to list replicasets.apps in the whole cluster is missing (403 Forbidden)",
      ],
    },
    {
      when: "the credentials are not accepted",
      scope: { required: [] },
      failure: () => apiFailure(401, "Unauthorized", "Unauthorized"),
      problems: ["the API server does not accept the credentials of this kubeconfig (401 Unauthorized)"],
    },
    {
      when: "there is no answer",
      scope: { required: [] },
      failure: () => new Error("GET /api/v1/pods: connect ECONNREFUSED 127.0.0.1:1"),
      problems: ["GET /api/v1/pods: connect ECONNREFUSED 127.0.0.1:1"],
    },
  ])("says why there is no result when $when", async ({ scope, failure, problems }) => {
    const { read } = await readFrom(new ScriptedApi(), scope, failure);
    const isRefused = problems.every((problem) => problem.includes("403"));
    expect(read).toEqual({ ok: false, problems, isRefused });
  });

  test.each([
    {
      when: "an optional permission is refused",
      scope: { required: ["pods"] } as const,
      failure: refuse("statefulsets.apps", forbidden),
      notes: [
        "left out: permission to list statefulsets.apps in the whole cluster is missing (403 Forbidden)",
      ],
    },
    {
      when: "the server does not have a kind",
      scope: { required: ["pods"] } as const,
      failure: refuse("poddisruptionbudgets.policy", apiFailure(404, "NotFound", "page not found")),
      notes: ["left out: this API server does not have poddisruptionbudgets.policy"],
    },
    {
      when: "only one namespace may be read",
      scope: { namespace: "a", wide: ["pods"], required: ["pods"] } as const,
      failure: refuse("pods", forbidden),
      notes: ["only of namespace a: permission to list pods in the whole cluster is missing (403 Forbidden)"],
    },
  ])("notes what is missing when $when", async ({ scope, failure, notes }) => {
    const { read } = await readFrom(new ScriptedApi(), scope, failure);
    expect(read).toMatchObject({ ok: true, notes });
  });
});
