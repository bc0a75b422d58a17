import { loadDistributions, loadOrigins } from "../../api/load/load.ts";
import { choice, duration, exactlyOneOf, type JsonSchema, list, record, share, text } from "./json-schema.ts";

/** An amount of a metric: the shape of a Kubernetes quantity; `readLoad` reads its value. */
const amount = (description: string): JsonSchema => ({
  anyOf: [{ type: "number", minimum: 0 }, amountText],
  errorMessage: amountMessage,
  description,
});
const amountMessage = "must be an amount such as 500m, 2 or 1Gi, not negative";
const amountText: JsonSchema = {
  type: "string",
  pattern: "^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?$",
  errorMessage: amountMessage,
};

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

const amountOrCurve = (description: string): JsonSchema => ({
  anyOf: [{ type: "number", minimum: 0 }, amountText, curve],
  errorMessage: "must be an amount such as 500m, 2 or 1Gi, or an object with steps, points or wave",
  description,
});

const metricLoad = record(
  "The load in one metric.",
  {
    total: amountOrCurve("Of all ready Pods together: an amount, or a curve."),
    perPod: amountOrCurve("Of each ready Pod: an amount, or a curve."),
    distribution: choice(
      "How it is divided among Pods: evenly, most of it to few (`skew`), or by their annotations `sim.trimtab.dev/loadWeight`; `Even` unless said otherwise.",
      loadDistributions,
    ),
    skew: share("With `Skewed`, from 0 (even) to 1 (exponential); 0.5 unless said otherwise."),
    noise: share("By which share it goes up and down at random."),
    noiseEvery: duration("How long a random number holds, with `noise`; `1m` unless said otherwise."),
    idle: amount("What a running Pod uses besides, ready or not."),
    container: text("The container that has the load; the first unless said otherwise."),
    seed: {
      anyOf: [{ type: "string" }, { type: "integer" }],
      errorMessage: "must be a text or a whole number",
      description: "Other random numbers than another load with the same seed of the scenario.",
    },
  },
  exactlyOneOf(["total", "perPod"]),
);

/** A load, by the name of the metric. */
const metrics: JsonSchema = {
  type: "object",
  description: "The load by metric: `cpu` in cores, `memory` in bytes, or any other name.",
  minProperties: 1,
  additionalProperties: metricLoad,
};

/** The load on the Pods of an object, as a member of a scenario and as an event. */
export const objectLoad = (description: string, object: JsonSchema): JsonSchema =>
  record(
    description,
    {
      object,
      namespace: text("Its namespace; `default` unless said otherwise."),
      metrics,
    },
    { required: ["object", "metrics"] },
  );
