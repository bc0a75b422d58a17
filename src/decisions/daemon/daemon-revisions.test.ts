import { expect, test } from "vitest";
import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import { daemonSet } from "../../testing/daemon-set.ts";
import { pod } from "../../testing/pod.ts";
import { podRevisionLabel } from "../revisions/draft-revision.ts";
import { revisionDataOf } from "../revisions/revision-data.ts";
import { daemonState, revision } from "./daemon-state.cases.ts";
import {
  type DaemonRevisions,
  daemonRevisions,
  relabelledPods,
  revisionsBeyondLimit,
} from "./daemon-revisions.ts";
import { planDaemonSet } from "./plan-daemon-set.ts";

const agent = daemonSet("agent");
const current = (hash: string, number: number): ControllerRevision => ({
  ...revision(hash, number),
  data: revisionDataOf(agent.spec.template),
});
const at = (hash: string) => pod(`at-${hash}`, { labels: { [podRevisionLabel]: hash } });

function actionsOf({ actions }: DaemonRevisions): readonly string[] {
  return actions.map((action) => {
    switch (action.kind) {
      case "create-revision":
        return `create revision ${action.draft.revision}`;
      case "renumber-revision":
        return `renumber ${action.revision.metadata.name} to ${action.to}`;
      case "relabel-pods":
        return `relabel ${action.pods.map(({ metadata }) => metadata.name).join()} as ${action.hash}`;
      case "label-revision":
      case "delete-revision":
        return `${action.kind} ${action.revision.metadata.name}`;
    }
  });
}

test.for([
  { name: "none is created as the first", revisions: [], want: ["create revision 1"] },
  {
    name: "another template is created after the highest",
    revisions: [revision("a", 4), revision("b", 2)],
    want: ["create revision 5"],
  },
  { name: "that is known is used", revisions: [revision("a", 1), current("c", 2)], want: [] },
  {
    name: "that comes back becomes the highest",
    revisions: [current("c", 1), revision("a", 2)],
    want: ["renumber agent-c to 3"],
  },
  {
    name: "that exists twice is kept once, the higher",
    revisions: [current("c", 1), current("d", 3), revision("a", 2)],
    want: ["relabel at-c as d", "delete-revision agent-c"],
  },
])("the revision of a template: $name", ({ revisions, want }) => {
  expect(actionsOf(daemonRevisions(agent, revisions, [at("a"), at("c"), at("d")]))).toEqual(want);
});

test("a new revision is named by its hash, and by another one after a collision", () => {
  const drafted = (collisionCount?: number) => {
    const status = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    const counted = collisionCount === undefined ? status : { ...status, collisionCount };
    const { hash, actions } = daemonRevisions({ ...agent, status: counted }, [], []);
    const [action] = actions;
    const draft = action?.kind === "create-revision" ? action.draft : undefined;
    expect(draft?.metadata).toMatchObject({
      name: `agent-${hash}`,
      labels: { app: "web", [podRevisionLabel]: hash },
    });
    return hash;
  };
  expect(drafted()).toBe(drafted());
  expect(drafted(1)).not.toBe(drafted());
});

test("a revision without the label counts as labelled with its name, and gets that label", () => {
  const { metadata, ...rest } = current("c", 1);
  const bare = { ...rest, metadata: { ...metadata, labels: {} } };
  const history = daemonRevisions(agent, [bare], []);
  expect([history.hash, ...actionsOf(history)]).toEqual(["agent-c", "label-revision agent-c"]);
});

test("Pods that are relabelled count as those of the revision that is kept", () => {
  const pods = [at("c"), at("a")];
  const { actions } = daemonRevisions(agent, [current("c", 1), current("d", 2)], pods);
  const labels = relabelledPods(pods, actions).map(({ metadata }) => metadata.labels?.[podRevisionLabel]);
  expect(labels).toEqual(["d", "a"]);
  const state = daemonState({ nodes: 1, pods: "1o+" });
  const same = state.revisions.map((each) => ({
    ...each,
    data: revisionDataOf(state.daemonSet.spec.template),
  }));
  const plan = planDaemonSet({ ...state, revisions: same });
  expect(plan.deletions).toEqual([]);
  expect(plan.status.updatedNumberScheduled).toBe(1);
});

test.for([
  { limit: 10, pods: [], want: [] },
  { limit: 2, pods: [], want: ["a", "b"] },
  { limit: 2, pods: ["a"], want: ["b", "c"] },
  { limit: 0, pods: ["a", "b", "c", "d"], want: [] },
])(
  "of four earlier revisions a limit of $limit with Pods of $pods deletes $want",
  ({ limit, pods, want }) => {
    const old = ["d", "b", "a", "c"].map((hash) => revision(hash, hash.charCodeAt(0)));
    const surplus = revisionsBeyondLimit(
      old,
      daemonSet("agent", { revisionHistoryLimit: limit }),
      pods.map(at),
    );
    expect(surplus.map(({ metadata }) => metadata.name)).toEqual(want.map((hash) => `agent-${hash}`));
  },
);
