import { isJsonObject, type JsonObject } from "../../../src/api/json.ts";
import { goYaml } from "../../../src/kubectl/output/go-yaml.ts";
import { openIn } from "./open-in.ts";
import type { PlaySession } from "./play-session.ts";

/** What people write, in the order in which it can be applied. */
const collections = [
  "/api/v1/namespaces",
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  "/apis/scheduling.k8s.io/v1/priorityclasses",
  "/api/v1/serviceaccounts",
  "/api/v1/resourcequotas",
  "/api/v1/limitranges",
  "/api/v1/configmaps",
  "/api/v1/secrets",
  "/api/v1/persistentvolumeclaims",
  "/api/v1/services",
  "/apis/policy/v1/poddisruptionbudgets",
  "/apis/apps/v1/deployments",
  "/apis/apps/v1/statefulsets",
  "/apis/apps/v1/daemonsets",
  "/apis/apps/v1/replicasets",
  "/api/v1/replicationcontrollers",
  "/apis/batch/v1/jobs",
  "/apis/batch/v1/cronjobs",
  "/apis/autoscaling/v2/horizontalpodautoscalers",
  "/api/v1/pods",
] as const;

/** What the cluster has made itself, and another has, too. */
const ofTheCluster = /^(default|kube-.*|kubernetes|system-.*|trimtab-.*)$/;

/** Writes what users have made in a cluster as one file for `kubectl apply -f`. */
export async function exportManifests(session: PlaySession, signal: AbortSignal): Promise<string> {
  const open = openIn(session);
  const documents: string[] = [];
  for (const path of collections) {
    const response = await open({ method: "GET", path }, signal);
    const { items = [], kind = "", apiVersion } = JSON.parse(await response.body.text()) as JsonObject;
    for (const item of items as readonly JsonObject[]) {
      const object = { apiVersion, kind: (kind as string).replace(/List$/, ""), ...item } as JsonObject;
      if (isWritten(object)) documents.push(goYaml(manifestOf(object)));
    }
  }
  return documents.join("---\n");
}

function isWritten({ metadata }: JsonObject): boolean {
  const { name, namespace, ownerReferences } = metadata as JsonObject;
  const isSystem = typeof namespace === "string" && namespace.startsWith("kube-");
  return ownerReferences === undefined && !isSystem && !ofTheCluster.test(name as string);
}

/** An object without what the API server has added. */
function manifestOf({ status: _status, metadata, spec, ...object }: JsonObject): JsonObject {
  const { name = "", namespace, labels, annotations } = metadata as JsonObject;
  const kept = Object.fromEntries(
    Object.entries(isJsonObject(annotations) ? annotations : {}).filter(([key]) => !added.test(key)),
  );
  return {
    ...object,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(Object.keys(kept).length > 0 && { annotations: kept }),
    },
    ...(isJsonObject(spec) && { spec: specOf(object["kind"], spec) }),
  };
}

const added = /^(deployment\.kubernetes\.io\/revision|kubectl\.kubernetes\.io\/last-applied-configuration)$/;

function specOf(kind: unknown, spec: JsonObject): JsonObject {
  switch (kind) {
    case "Service": {
      const { clusterIP, clusterIPs: _addresses, ...rest } = spec;
      return clusterIP === "None" ? { ...rest, clusterIP } : rest;
    }
    case "Job": {
      if (spec["manualSelector"] === true) return spec;
      const { selector: _selector, template, ...rest } = spec;
      const { metadata: _labels, ...pods } = template as JsonObject;
      return { ...rest, template: pods };
    }
    case "Namespace": {
      const { finalizers: _finalizers, ...rest } = spec;
      return rest;
    }
    case "Pod": {
      const { nodeName: _node, ...rest } = spec;
      return rest;
    }
    default:
      return spec;
  }
}
