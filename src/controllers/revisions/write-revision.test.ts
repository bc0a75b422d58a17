import { expect, test } from "vitest";
import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { controllerRevisions, daemonSets, namespaces } from "../../api/resources.ts";
import { daemonSet } from "../../testing/daemon-set.ts";
import { testApi } from "../../testing/test-api.ts";
import { createRevision } from "./write-revision.ts";

const known = daemonSet("agent");
const draft = {
  metadata: {
    name: "agent-1",
    namespace: known.metadata.namespace ?? "",
    ownerReferences: [controllerReference(daemonSets, known)],
  },
  data: {},
  revision: 1,
};

/** Creates a revision of the DaemonSet as a controller knows it; returns the names of those that exist then. */
async function created({ stored }: { readonly stored: readonly DaemonSet[] }): Promise<readonly unknown[]> {
  const { client, seed } = testApi();
  seed(namespaces, { metadata: { name: "default" }, spec: {} });
  for (const each of stored) seed(daemonSets, each);
  const { signal } = new AbortController();
  const owned = { owner: known, ownerResource: daemonSets };
  await createRevision(draft, owned, { client, signal }).catch(() => undefined);
  return (await client.list(controllerRevisions, {})).items.map(({ metadata }) => metadata.name);
}

test("a revision is created for an owner that is there", async () => {
  expect(await created({ stored: [known] })).toEqual(["agent-1"]);
});

test.for([
  { name: "is gone", stored: [] },
  {
    name: "was replaced by another of its name",
    stored: [{ ...known, metadata: { ...known.metadata, uid: "other" } }],
  },
  {
    name: "is being deleted",
    stored: [{ ...known, metadata: { ...known.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }],
  },
])(
  "no revision is created for an owner that $name, which the garbage collector would delete",
  async ({ stored }) => {
    expect(await created({ stored })).toEqual([]);
  },
);
