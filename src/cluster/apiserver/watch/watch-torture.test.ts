import { expect, test } from "vitest";
import { type Random, randomInt, seededRandom } from "../../../machinery/random/random.ts";
import type { StoredJson } from "../../store/store.ts";
import { startTestApiServer, type TestApiServer } from "../api-server-fixture.contract.ts";
import type { WatchEvents } from "./watch-stream.ts";

const watcherCount = 50;
const steps = 1500;
const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
const spaces = ["default", "other"];
const apps = ["web", "db", "none"];

interface Interest {
  readonly path: string;
  readonly query: string;
  readonly matches: (object: StoredJson) => boolean;
}

const appOf = (object: StoredJson) => object.metadata.labels?.["app"];

/** What a watcher may be interested in, and how it is recognised without the server's help. */
const interests: readonly Interest[] = [
  { path: "/api/v1/configmaps", query: "", matches: () => true },
  {
    path: "/api/v1/namespaces/other/configmaps",
    query: "",
    matches: ({ metadata }) => metadata.namespace === "other",
  },
  {
    path: "/api/v1/configmaps",
    query: "&labelSelector=app=web",
    matches: (object) => appOf(object) === "web",
  },
  {
    path: "/api/v1/namespaces/default/configmaps",
    query: "&labelSelector=app%20notin%20(db)",
    matches: (object) => object.metadata.namespace === "default" && appOf(object) !== "db",
  },
  {
    path: "/api/v1/namespaces/default/configmaps",
    query: "&fieldSelector=metadata.name=c3",
    matches: ({ metadata }) => metadata.namespace === "default" && metadata.name === "c3",
  },
];

/** A client that keeps a copy of what it is told, and comes back where it left off. */
class Watcher {
  readonly interest: Interest;
  readonly state = new Map<string, StoredJson>();
  readonly revisions: number[] = [];
  #from: number;
  #stream: WatchEvents | undefined;

  constructor(interest: Interest, from: number) {
    this.interest = interest;
    this.#from = from;
  }

  async connect({ watch }: TestApiServer): Promise<void> {
    this.#stream?.end();
    const { path, query } = this.interest;
    this.#stream = await watch(
      `${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#from}${query}`,
    );
  }

  read(limit: number): void {
    for (const item of this.#stream?.take(limit) ?? []) {
      if (item.type === "ERROR") throw new Error(item.status.message);
      if (item.type === "BOOKMARK") {
        this.#from = item.revision;
        continue;
      }
      const { object } = item.item;
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      expect(this.state.has(key)).toBe(item.type !== "ADDED");
      if (item.type === "DELETED") this.state.delete(key);
      else this.state.set(key, object);
      this.#from = Number(object.metadata.resourceVersion);
      this.revisions.push(this.#from);
    }
  }

  readAll(): void {
    while (this.#stream?.hasPending === true) this.read(Infinity);
  }
}

async function act({ request }: TestApiServer, random: Random): Promise<void> {
  const pick = <T>(choices: readonly T[]) => choices[randomInt(random, choices.length)] as T;
  const place = `/api/v1/namespaces/${pick(spaces)}/configmaps`;
  const name = pick(names);
  const labels = { app: pick(apps) };
  switch (randomInt(random, 4)) {
    case 0:
      await request(`POST ${place}`, { metadata: { name, labels } });
      return;
    case 1:
      await request(`DELETE ${place}/${name}`);
      return;
    default:
      await request(
        `PATCH ${place}/${name}`,
        { metadata: { labels }, data: { at: String(random.next()) } },
        "application/merge-patch+json",
      );
  }
}

test.for(["one", "two", "three"])(
  "fifty watchers that come and go miss nothing and hear nothing twice (seed %s)",
  async (seed) => {
    const fixture = await startTestApiServer();
    await fixture.request("POST /api/v1/namespaces", { metadata: { name: "other" } });
    const random = seededRandom(seed);
    const start = fixture.store.revision();
    const watchers = Array.from(
      { length: watcherCount },
      (_, index) => new Watcher(interests[index % interests.length] as Interest, start),
    );
    for (const watcher of watchers) await watcher.connect(fixture);

    for (let step = 0; step < steps; step++) {
      await act(fixture, random);
      if (step % 100 === 0) await fixture.clock.advance(60_000); // bookmarks
      const watcher = watchers[randomInt(random, watcherCount)];
      watcher?.read(randomInt(random, 20));
      // Cut off in the middle of whatever was on its way.
      if (random.next() < 0.2) await watcher?.connect(fixture);
    }
    await fixture.clock.settle();

    const configMaps = fixture.store.collection("configmaps");
    const log = configMaps.since(start) ?? [];
    expect(log.length).toBeGreaterThan(steps / 4);
    for (const watcher of watchers) {
      watcher.readAll();
      const { matches } = watcher.interest;
      const current = [...configMaps.records()].filter(({ object }) => matches(object));
      expect(watcher.state).toEqual(new Map(current.map(({ key, object }) => [key, object])));
      const told = log
        .filter(
          ({ record, previous }) =>
            matches(record.object) || (previous !== undefined && matches(previous.object)),
        )
        .map(({ record }) => record.revision);
      expect(watcher.revisions).toEqual(told);
    }
  },
);
