import { deployments } from "../../api/resources.ts";
import { removalOrderAnnotation } from "../../api/workload-settings.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { bad, type Finding, good, open } from "./finding.ts";

const title = "in force";
/** A removal order that does not exist: steer refuses it, and no other webhook reads the annotation. */
const nonsense = "trimtab-doctor";

/**
 * Finds out whether the API server asks steer and heeds its answer, by a dry run of a Deployment that steer refuses. A dry
 * run stores nothing. Since the webhooks ignore failures, it is accepted where steer does not answer.
 */
export async function probeSteer(client: Client, namespace: string, signal: AbortSignal): Promise<Finding> {
  const labels = { app: nonsense };
  const draft = {
    metadata: {
      generateName: `${nonsense}-`,
      namespace,
      annotations: { [removalOrderAnnotation]: nonsense },
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "none", image: "none" }] } },
    },
  };
  try {
    await client.create(deployments, draft, { dryRun: true, signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message.includes(removalOrderAnnotation)
      ? good(title, `the API server asks steer about namespace ${namespace}, and steer answers`)
      : open(
          title,
          `a dry run in namespace ${namespace} was refused, so that nothing is known: ${error.message}`,
        );
  }
  return bad(
    title,
    `steer was not asked about namespace ${namespace}, or did not answer: a dry run with a wish that it refuses was accepted`,
    "kubectl get --raw /metrics | grep webhook_fail_open",
  );
}
