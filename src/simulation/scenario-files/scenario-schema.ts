import {
  anyText,
  choice,
  duration,
  either,
  goDuration,
  integer,
  list,
  object as jsonObject,
  record,
  text,
  trimtabHead,
} from "../../api/documents/document-schema.ts";
import { featureGatesSchema } from "../../api/documents/feature-gates-schema.ts";
import { shareSchema } from "../../api/documents/share-schema.ts";
import { mostZones, nodesSchema } from "../../cluster/node-groups/node-group-schema.ts";
import { failureClasses } from "../../picker/picker-failure.ts";
import { assertion } from "./assertion-schema.ts";
import { event, manifest, objectLoad } from "./event-schema.ts";

export const scenarioKind = "Scenario";

/** A longer run is most likely a typing error. */
export const longestHours = 24 * 366;

/** A duration that may be drawn at random. */
const drawnDuration = (description: string) =>
  anyText(description, {
    pattern: `^(${goDuration}(\\.\\.${goDuration})?|normal\\(${goDuration}, ?${goDuration}\\)|exp\\(${goDuration}\\))$`,
    errorMessage:
      "must be a duration such as 3s, a range such as 1s..5s, normal(MEAN,DEVIATION) or exp(MEAN)",
  });

export const work = record(
  "Which Pods have work to do. Of several entries that select a Pod, the first counts.",
  {
    selector: text("The Pods: a label selector."),
    namespace: text("Only Pods of this namespace."),
    first: integer(
      "So many Pods are busy from when they are Ready until they end: the first that are created.",
      [0, 1_000_000],
    ),
    share: shareSchema("Each Pod is busy with this chance, from when it is Ready until it ends."),
    busyFor: drawnDuration("How long a task takes: Pods are busy and idle by turns."),
    idleFor: drawnDuration("How long a Pod waits for its next task, with `busyFor`."),
    tasks: either(
      "How much a busy Pod does: a number, or a range such as `1..20` of which each Pod draws one; 1 unless said otherwise.",
      "must be a whole number, or a range such as 1..20",
      [
        integer("A number.", [1, 1_000_000]),
        anyText("A range.", {
          pattern: "^[0-9]{1,7}\\.\\.[0-9]{1,7}$",
          errorMessage: "must be a range such as 1..20",
        }),
      ],
    ),
  },
  { required: ["selector"] },
);

const answers = ["least-busy", "protect-busy", "even-zones", "nothing"] as const;

export const scenarioPicker = record(
  "A pod picker as data: manifests name it by its host.",
  {
    host: text("The host that `downscalePodPicker` names."),
    answer: either(
      "`least-busy`: the Pods with the fewest tasks, equal ones tied. `protect-busy`: the same, and Pods with a task are protected. `even-zones`: Pods of the fullest zones, idle ones first. `nothing`: no names.",
      `must be ${answers.join(", ")}, or an object with chosenPods, tiedPods and protectedPods`,
      [
        choice("A way to choose.", answers),
        record(
          "The same names every time.",
          {
            chosenPods: list("Pods to delete first.", text("The name of a Pod.")),
            tiedPods: list("Pods to delete next.", text("The name of a Pod.")),
            protectedPods: list("Pods that may not be deleted now.", text("The name of a Pod.")),
          },
          { minProperties: 1 },
        ),
      ],
    ),
    delay: drawnDuration("How long it takes to answer."),
    failureRate: shareSchema("How often a call fails."),
    failure: choice(
      "How calls fail, with `failureRate`; `ConnectionFailed` unless said otherwise.",
      failureClasses,
    ),
    outages: list(
      "Times at which every call fails.",
      record(
        "One outage.",
        {
          from: duration("When it begins."),
          until: duration("When it ends; at the end unless said otherwise."),
          failure: choice("How calls fail; `ConnectionFailed` unless said otherwise.", failureClasses),
        },
        { required: ["from"] },
      ),
    ),
  },
  { required: ["host", "answer"] },
);

/** The schema of a scenario file: what `trimtab simulate` accepts, and what editors complete. */
export const scenarioSchema = record(
  "A cluster in virtual time, what happens in it, and what has to hold.",
  {
    ...trimtabHead(scenarioKind),
    name: text("What reports call it; the name of the file or its folder unless said otherwise."),
    description: text("What it shows, for its readers."),
    duration: duration("How long it runs; until ten minutes after the last event unless said otherwise."),
    seed: integer("All chance comes from it; 1 unless said otherwise.", [0, Number.MAX_SAFE_INTEGER]),
    seeds: integer("How many seeds are run, from `seed` on; 1 unless said otherwise.", [1, 100_000]),
    snapshot: text(
      "A file of `trimtab snapshot`, relative to this one: the run begins with this cluster, at its time, instead of with empty nodes.",
    ),
    nodes: nodesSchema(
      "How many nodes, or groups of them as in a NodeGroups file; 12 unless said otherwise.",
    ),
    zones: integer("How many zones the nodes are in, by turns; 3 unless said otherwise.", [1, mostZones]),
    featureGates: featureGatesSchema,
    scheduler: jsonObject("The configuration of the scheduler: a KubeSchedulerConfiguration."),
    manifests: list("Kubernetes objects that are created first, in this order.", manifest),
    manifestFiles: list("Files with more of them, relative to this file.", text("A file.")),
    work: list("Which Pods are busy, and when.", work),
    load: list(
      "The load that Pods have from the beginning: what `kubectl top` would show and autoscalers scale by.",
      objectLoad("The load on the Pods of a workload, or the metrics of another object."),
    ),
    pickers: list("Pod pickers.", scenarioPicker),
    events: list("What happens, and when.", event),
    assertions: list("What has to hold.", assertion),
  },
  {
    $id: "https://trimtab.dev/schemas/scenario-v1alpha1.json",
    title: "Trimtab scenario",
    required: ["apiVersion", "kind"],
  },
);
