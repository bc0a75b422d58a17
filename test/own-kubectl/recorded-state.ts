import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/api/json.ts";
import { deployments } from "../../src/api/resources.ts";
import { formatTime, parseTime } from "../../src/api/time.ts";
import { createManifests } from "../../src/cluster/embedding/create-manifests.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { parseYaml } from "../../src/machinery/yaml/parse-yaml.ts";
import { deepFreeze } from "../../src/testing/deep-freeze.ts";
import { type TestCluster, testCluster, type TestTransport } from "../../src/testing/test-cluster.ts";

/** What a cluster stored at an instant, by collection and key. */
export interface RecordedState {
  readonly now: string;
  readonly collections: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const stateFile = here("../golden/own-kubectl/state.json");

/**
 * Runs a cluster in virtual time until a quarter of an hour before an instant: ages of what is older change only once a
 * minute, so that a slow machine records the same ones.
 */
export async function runToState(now: number): Promise<RecordedState> {
  const end = now - 15 * 60_000;
  const clock = new VirtualClock(end - 40 * 60_000);
  const cluster = await testCluster({ clock, nodes: 4, zones: 2, seed: "own-kubectl" });
  await createManifests(cluster, objectsOf("state.yaml"));
  await createManifests(cluster, objectsOf("widget.yaml"));
  await clock.advance(60_000);
  await cluster.client.patch(
    deployments,
    { namespace: "shop", name: "web" },
    {
      type: "strategic",
      body: {
        metadata: { annotations: { "kubernetes.io/change-cause": "second" } },
        spec: { template: { spec: { containers: [{ name: "app", image: "web:2" }] } } },
      },
    },
  );
  await clock.advance(60_000);
  await clock.runUntil(end);
  const collections = Object.fromEntries(
    cluster.store
      .collections()
      .map((collection) => [
        collection.name,
        Object.fromEntries([...collection.records()].map(({ key, object }) => [key, withoutFields(object)])),
      ]),
  );
  await cluster.stop();
  return { now: formatTime(now), collections };
}

function objectsOf(file: string): readonly object[] {
  const parsed = parseYaml(readFileSync(here(file), "utf8"), { documents: "all" });
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  return parsed.documents.map(({ value }) => value as unknown as object);
}

/** Managed fields would be most of the file. */
function withoutFields({ metadata, ...rest }: { readonly metadata: JsonObject } & JsonObject): JsonObject {
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

export function readState(): RecordedState {
  return JSON.parse(readFileSync(stateFile, "utf8")) as RecordedState;
}

/** An API server over a recorded state, in which nothing happens by itself: its clock stands still and nothing runs. */
export async function clusterOf(
  { now, collections }: RecordedState,
  transport: TestTransport = "in-process",
): Promise<TestCluster> {
  // Certificates have to be valid when a kubectl connects.
  const network = transport === "https" ? new WallClock() : undefined;
  const clock = new VirtualClock(parseTime(now) ?? 0, network);
  const store = new MemoryStore({ clock, transformObject: deepFreeze });
  for (const [name, objects] of Object.entries(collections))
    for (const [key, object] of Object.entries(objects)) store.collection(name).put(key, object);
  return testCluster({ clock, store, transport, components: [], nodes: [], seed: "own-kubectl" });
}

/** JSON with a line for each object. */
export function stateText({ now, collections }: RecordedState): string {
  const parts = Object.entries(collections).map(([name, objects]) => {
    const lines = Object.entries(objects).map(
      ([key, object]) => `${JSON.stringify(key)}:${JSON.stringify(object)}`,
    );
    return `${JSON.stringify(name)}:{\n${lines.join(",\n")}\n}`;
  });
  return `{"now":${JSON.stringify(now)},"collections":{\n${parts.join(",\n")}\n}}\n`;
}
