import {
  anyText,
  choice,
  type DocumentSchema,
  duration,
  either,
  exactlyOneOf,
  int64,
  list,
  map,
  number,
  record,
  text,
} from "../../api/documents/document-schema.ts";
import { loadDistributions, loadOrigins } from "../../api/load/load.ts";

/** An amount of a metric: the shape of a Kubernetes quantity; `readLoad` reads its value. */
const amount = (description: string) => either(description, amountMessage, [amountNumber, amountText]);
const amountMessage = "must be an amount such as 500m, 2 or 1Gi, not negative";
const amountNumber = number("A plain amount.", { minimum: 0 });
const amountText = anyText("A quantity.", {
  pattern: "^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?$",
  errorMessage: amountMessage,
});

/** A share: `0.25` or `25%`. */
export const shareSchema = (description: string) =>
  either(description, "must be a share from 0 to 1, or a percentage such as 25%", [
    number("A share.", { minimum: 0, maximum: 1 }),
    anyText("A percentage.", {
      pattern: "^(100|[0-9]{1,2}(\\.[0-9]+)?)%$",
      errorMessage: "must be a percentage such as 25%",
    }),
  ]);

const marks = (description: string) =>
  list(
    description,
    record(
      "A value at a time.",
      { at: duration("The time after `since`."), value: amount("The amount then.") },
      { required: ["at", "value"] },
    ),
    { minItems: 1 },
  );

const curve = record(
  "A value that changes over time: `steps`, `points` or `wave`.",
  {
    steps: marks("Values that hold until the next, by rising time."),
    points: marks("Values that are joined by straight lines, by rising time."),
    wave: record(
      "A sine.",
      {
        low: amount("Its lowest value."),
        high: amount("Its highest value."),
        period: duration("From peak to peak; `24h` unless said otherwise."),
        peakAt: duration("When it is highest; in the middle of the period unless said otherwise."),
      },
      { required: ["low", "high"] },
    ),
    every: duration(
      "When `steps` or `points` begin anew; daily after midnight, and never after the creation, unless said otherwise.",
    ),
    since: choice(
      "What times are counted from: midnight (UTC), where a scenario without a snapshot begins, or the creation of the object; `Midnight` unless said otherwise.",
      loadOrigins,
    ),
  },
  exactlyOneOf(["steps", "points", "wave"]),
);

const amountOrCurve = (description: string) =>
  either(description, "must be an amount such as 500m, 2 or 1Gi, or an object with steps, points or wave", [
    amountNumber,
    amountText,
    curve,
  ]);

const metricLoad = record(
  "The load in one metric.",
  {
    total: amountOrCurve("Of all ready Pods together: an amount, or a curve."),
    perPod: amountOrCurve("Of each ready Pod: an amount, or a curve."),
    distribution: choice(
      "How it is divided among Pods: evenly, most of it to few (`skew`), or by their annotations `sim.trimtab.dev/loadWeight`; `Even` unless said otherwise.",
      loadDistributions,
    ),
    skew: shareSchema("With `Skewed`, from 0 (even) to 1 (exponential); 0.5 unless said otherwise."),
    noise: shareSchema("By which share it goes up and down at random."),
    noiseEvery: duration("How long a random number holds, with `noise`; `1m` unless said otherwise."),
    idle: amount("What a running Pod uses besides, ready or not."),
    container: text("The container that has the load; the first unless said otherwise."),
    seed: either(
      "Other random numbers than another load with the same seed of the scenario.",
      "must be a text or a whole number",
      [anyText("A text."), int64("A number.")],
    ),
  },
  exactlyOneOf(["total", "perPod"]),
);

/** A load, by the name of the metric. */
const metrics = map("The load by metric: `cpu` in cores, `memory` in bytes, or any other name.", metricLoad, {
  minProperties: 1,
});

/** The load on the Pods of an object, as a member of a scenario and as an event. */
export const objectLoad = (description: string, object: DocumentSchema<string>) =>
  record(
    description,
    {
      object,
      namespace: text("Its namespace; `default` unless said otherwise."),
      metrics,
    },
    { required: ["object", "metrics"] },
  );
