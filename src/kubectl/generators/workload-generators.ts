import type { JsonObject } from "../../api/json.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { LineFlags } from "../line/flag.ts";
import { fetchTargets, targetsOf } from "../selection/fetch-objects.ts";
import { at, mapAt } from "../selection/kube-object.ts";
import { nothingSelected } from "../selection/targets.ts";
import { commandField, type Generator } from "./generator.ts";

const imageFlag: LineFlags = { image: { type: "string" } };

const emptyTemplate = (labels: JsonObject, spec: JsonObject): JsonObject => ({
  metadata: { creationTimestamp: null, ...labels },
  spec,
});

/** `web` of `registry/web:1`. */
function nameOfImage(image: string): string {
  const last = image.split("/").at(-1) ?? image;
  return (last.split(/[:@]/)[0] ?? last).replaceAll(/[^a-z0-9-]/g, "-");
}

const deployment: Generator = {
  summary: "Create a deployment with the specified name",
  aliases: ["deploy"],
  required: ["image"],
  failing: "failed to create deployment",
  flags: {
    image: { type: "list" },
    replicas: { type: "string", short: "r", default: "1" },
    port: { type: "string", default: "-1" },
  },
  build(context, name) {
    const images = context.list("image");
    const port = Number(context.text("port"));
    const ports = port > 0 ? { ports: [{ containerPort: port }] } : {};
    const isOne = images.length === 1;
    const labels = { labels: { app: name } };
    if (!isOne && commandLength(context) > 0)
      throw failure("cannot specify multiple --image options and command");
    const containers = images.map((image, index) => ({
      name: nameOfImage(image),
      image,
      ...(isOne && commandField(context)),
      ...(index === 0 && ports),
      resources: {},
    }));
    return {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name, ...labels },
      spec: {
        replicas: Number(context.text("replicas")),
        selector: { matchLabels: { app: name } },
        template: emptyTemplate(labels, { containers }),
        strategy: {},
      },
      status: {},
    };
  },
};

const commandLength = (context: Context) => Object.keys(commandField(context)).length;

const jobSpec = (context: Context, name: string, restartPolicy: string): JsonObject => ({
  template: emptyTemplate(
    {},
    {
      containers: [{ name, image: context.text("image"), ...commandField(context), resources: {} }],
      restartPolicy,
    },
  ),
});

const job: Generator = {
  summary: "Create a job with the specified name",
  failing: "failed to create job",
  flags: { ...imageFlag, from: { type: "string" } },
  async build(context, name) {
    const from = context.text("from");
    if (from === "" && context.text("image") === "")
      throw failure("either --image or --from must be specified");
    if (from !== "") return jobFrom(context, name, from);
    return {
      kind: "Job",
      apiVersion: "batch/v1",
      metadata: { name },
      spec: jobSpec(context, name, "Never"),
      status: {},
    };
  },
};

async function jobFrom(context: Context, name: string, from: string): Promise<JsonObject> {
  const targets = await targetsOf(context, [from], nothingSelected);
  const { items, errors } = await fetchTargets(context, targets);
  const [found] = items;
  if (found === undefined) throw errors[0];
  const { object, resource } = found;
  if (resource.kind !== "CronJob") throw failure(`from must be an existing cronjob`);
  const template = at(object, "spec", "jobTemplate");
  const annotations = {
    "cronjob.kubernetes.io/instantiate": "manual",
    ...mapAt(template, "metadata", "annotations"),
  };
  const owner = {
    apiVersion: object.apiVersion,
    kind: object.kind,
    name: object.metadata.name,
    uid: object.metadata.uid ?? "",
    controller: true,
  };
  const labels = mapAt(template, "metadata", "labels");
  return {
    kind: "Job",
    apiVersion: "batch/v1",
    metadata: {
      name,
      ...(Object.keys(labels).length > 0 && { labels }),
      annotations,
      ownerReferences: [owner],
    },
    spec: at(template, "spec"),
    status: {},
  };
}

const cronJob: Generator = {
  summary: "Create a cron job with the specified name",
  aliases: ["cj"],
  required: ["image", "schedule"],
  failing: "failed to create cronjob",
  flags: { ...imageFlag, schedule: { type: "string" }, restart: { type: "string", default: "OnFailure" } },
  build: (context, name) => ({
    kind: "CronJob",
    apiVersion: "batch/v1",
    metadata: { name },
    spec: {
      schedule: context.text("schedule"),
      jobTemplate: {
        metadata: { name, creationTimestamp: null },
        spec: jobSpec(context, name, context.text("restart")),
      },
    },
    status: {},
  }),
};

/** `kubectl run`. */
export const podGenerator: Generator = {
  summary: "Run a particular image on the cluster",
  required: ["image"],
  flags: {
    ...imageFlag,
    restart: { type: "string", default: "Always" },
    labels: { type: "list", short: "l" },
    env: { type: "array" },
    port: { type: "string" },
    command: { type: "boolean" },
    annotations: { type: "array" },
  },
  build(context, name) {
    const env = context.list("env").map((pair) => {
      const [variable = "", ...value] = pair.split("=");
      return { name: variable, value: value.join("=") };
    });
    const labels = context.isGiven("labels") ? keyValuePairs(context.list("labels")) : { run: name };
    const annotations = keyValuePairs(context.list("annotations"));
    return {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name, labels, ...(Object.keys(annotations).length > 0 && { annotations }) },
      spec: {
        containers: [
          {
            name,
            image: context.text("image"),
            ...commandField(context, context.isOn("command") ? "command" : "args"),
            ...(context.isGiven("port") && { ports: [{ containerPort: Number(context.text("port")) }] }),
            ...(env.length > 0 && { env }),
            resources: {},
          },
        ],
        restartPolicy: context.text("restart"),
        dnsPolicy: "ClusterFirst",
      },
      status: {},
    };
  },
};

/** `{ a: "b" }` of `a=b`. */
export function keyValuePairs(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = "", ...value] = pair.split("=");
      if (value.length === 0) throw failure(`unexpected label spec: ${pair}`);
      return [key, value.join("=")];
    }),
  );
}

export const workloadGenerators = { deployment, job, cronjob: cronJob };
