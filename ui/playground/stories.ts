import welcome from "./scenarios/welcome.yaml?raw";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";

/** A moment at which time stops, and what there is to see. */
export interface StoryMoment {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly say: string;
}

/** A scenario with sentences. */
export interface Story {
  readonly name: string;
  readonly title: string;
  /** The proposal it shows; absent: none. */
  readonly proposal?: string;
  readonly scenario: () => Promise<string>;
  /** What is said before the first moment. */
  readonly begin?: string;
  readonly moments: readonly StoryMoment[];
}

/** Loads the scenarios of all stories but the first, which the page does not wait for. */
export const loadScenarios = () => import("./story-scenarios.ts");

const minute = 60;

/** What the page begins with. */
export const firstStory: Story = {
  name: "welcome",
  title: "A cluster to play with",
  scenario: () => Promise.resolve(welcome),
  begin:
    "Nine nodes in three zones, two Deployments and a budget. Fail a zone, open a workload and scale it down, type kubectl lines in Terminal, or let a story on the left show what each proposal changes.",
  moments: [],
};

/** Two for each proposal, and some more; their files are examples of the repository where they can be. */
export const stories: readonly Story[] = [
  firstStory,
  {
    name: "default-spread",
    title: "Replicas are spread, though nobody asked",
    proposal: "KEP-1258",
    scenario: async () => (await loadScenarios()).spread,
    moments: [
      {
        at: 30,
        say: "Twelve Pods without any constraint. The scheduler's defaults have spread them over three zones; open one to see the scores.",
      },
      {
        at: 3 * minute,
        say: "zone-a has just failed. Its Pods are still there: nobody knows yet that they will not come back.",
      },
      {
        at: 10 * minute,
        say: "They were evicted and replaced in the two zones that are left, as evenly as possible.",
      },
    ],
  },
  {
    name: "drain-a-zone",
    title: "A zone is drained, one Pod at a time",
    proposal: "KEP-1258",
    scenario: async () => (await loadScenarios()).drain,
    moments: [
      {
        at: 5 * minute - 1,
        say: "Nine replicas in three zones, and a budget: at most one may be unavailable. In a second, zone-a is drained.",
      },
      {
        at: 5 * minute + 12,
        say: "Each eviction waits until the Pod before it has been replaced. The gauge of the budget says why.",
      },
      {
        at: 7 * minute,
        say: "zone-a is empty. At 20 minutes it is open again, but nothing moves back by itself.",
      },
    ],
  },
  {
    name: "imbalance-cycle",
    title: "A zone comes back, and is not emptied again",
    proposal: "KEP-2185",
    scenario: async () => (await loadScenarios()).imbalance,
    moments: [
      { at: 5 * minute - 1, say: "18 Pods in three zones. zone-c is about to fail." },
      { at: 15 * minute - 1, say: "Two zones have all Pods now, nine each." },
      {
        at: 65 * minute - 1,
        say: "zone-c has young Pods, the others have old ones. Kubernetes once removed the youngest first: all of zone-c.",
      },
      {
        at: 66 * minute,
        say: "Ages of the same magnitude count as equal, and chance decides: zone-c keeps some. Decisions shows the rule for each.",
      },
    ],
  },
  {
    name: "logarithmic-ages",
    title: "Nearly the same age counts as the same age",
    proposal: "KEP-2185",
    scenario: async () => (await loadScenarios()).logarithmicAges,
    moments: [
      {
        at: 102 * minute,
        say: "Six Pods are 100 minutes old, six are new. In a minute three have to go: the new ones are of a smaller magnitude, so three of them, by chance.",
      },
      {
        at: 104 * minute,
        say: "Decisions shows that their ages were rounded down to a power of two before they were compared.",
      },
      {
        at: 111 * minute,
        say: "The same with the gate LogarithmicScaleDown off: ages are compared to the second, and the newest three went.",
      },
    ],
  },
  {
    name: "busy-workers",
    title: "The application says who goes",
    proposal: "KEP-3189",
    scenario: async () => (await loadScenarios()).busyWorkers,
    moments: [
      {
        at: 2 * minute,
        say: "Ten workers; four of them have a task. In a second the workload is scaled to six, and its pod picker is asked.",
      },
      {
        at: 2 * minute + 3,
        say: "The idle ones went. The reason of each removal names the picker's answer.",
      },
    ],
  },
  {
    name: "own-picker",
    title: "Write the picker yourself",
    proposal: "KEP-3189",
    scenario: async () => (await loadScenarios()).ownPicker,
    moments: [
      {
        at: 30,
        say: "Nine Pods; three will have to go in a second. The panel Picker has the function that is asked: change it, press Use it, then Play.",
      },
      {
        at: 33,
        say: "The panel shows what it was asked and what it answered; Decisions has the reasons. In a minute three more will go.",
      },
    ],
  },
  {
    name: "regional-web",
    title: "A picker that keeps zones even",
    proposal: "KEP-3189",
    scenario: async () => (await loadScenarios()).regionalWeb,
    moments: [
      {
        at: 5 * minute - 1,
        say: "18 replicas. They are scaled down in four steps, and a picker chooses from the zone with the most.",
      },
      { at: 15 * minute + 5, say: "Five are left. No zone has more than one above another." },
    ],
  },
  {
    name: "terminating-counted",
    title: "Pods that take long to end are counted",
    proposal: "KEP-3973",
    scenario: async () => (await loadScenarios()).terminating,
    moments: [
      {
        at: 5 * minute + 2,
        say: "Scaled from nine to three. Six Pods finish their work for four minutes, and the Deployment's status counts them.",
      },
      { at: 10 * minute, say: "Now they are gone." },
    ],
  },
  {
    name: "scarce-gpus",
    title: "Never more Pods than GPUs",
    proposal: "KEP-3973",
    scenario: async () => (await loadScenarios()).scarceGpus,
    moments: [
      {
        at: 5 * minute - 1,
        say: "Eight Pods on ten GPUs. A rollout begins, and every old Pod takes 90 seconds to end.",
      },
      {
        at: 6 * minute,
        say: "podReplacementPolicy TerminationComplete: a new Pod is created only when an old one has ended. None waits for a GPU.",
      },
    ],
  },
  {
    name: "fast-rollout",
    title: "A rollout that does not wait for old Pods",
    proposal: "KEP-3973",
    scenario: async () => (await loadScenarios()).fastRollout,
    moments: [
      { at: 5 * minute - 1, say: "The opposite: TerminationStarted. The image of web changes in a second." },
      { at: 5 * minute + 30, say: "Complete within thirty seconds, at the price of more Pods meanwhile." },
    ],
  },
  {
    name: "prefer-for-scale-down",
    title: "An autoscaler labels whom it would rather lose",
    proposal: preferredLabel,
    scenario: async () => (await loadScenarios()).preferred,
    moments: [
      { at: 5 * minute + 1, say: "Four idle Pods have the label prefer-for-scale-down." },
      { at: 6 * minute + 2, say: "Scaled from ten to six: exactly those went, because of the label." },
    ],
  },
  {
    name: "label-or-age",
    title: "The label comes before age, while its gate is on",
    proposal: preferredLabel,
    scenario: async () => (await loadScenarios()).labelOrAge,
    moments: [
      {
        at: 2 * minute + 30,
        say: "The two oldest of eight Pods have the label. Soon three have to go: the labelled ones first, and one that chance or spreading chooses.",
      },
      { at: 4 * minute, say: "Both are gone, and Decisions names the label as the reason of two removals." },
      {
        at: 9 * minute + 30,
        say: "Two Pods have the label again, but the gate PreferForScaleDownLabel has been switched off.",
      },
      {
        at: 11 * minute,
        say: "Two went, and nobody looked at the label. Faults has the gates: switch it on, scale down once more, and compare.",
      },
    ],
  },
];
