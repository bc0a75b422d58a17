import type { JsonObject } from "../../../src/api/json.ts";
import { isActive } from "../../../src/api/pod-state.ts";
import { deployments, pods } from "../../../src/api/resources.ts";
import type { Client } from "../../../src/machinery/client/client.ts";
import type { Random } from "../../../src/machinery/random/random.ts";
import { at, namespace, template } from "../builders.ts";
import type { Errand } from "./errand.ts";

/** Does what a person wants done; resolves when it has been accepted, not when it has come about. */
export async function runErrand(errand: Errand, client: Client, random: Random): Promise<void> {
  const merge = (body: JsonObject) => client.patch(deployments, at("web"), { type: "merge", body });
  switch (errand.do) {
    case "scale":
      await merge({ spec: { replicas: errand.replicas } });
      return;
    case "roll-out": {
      const operations = [
        { op: "replace", path: "/spec/template", value: template(errand.pods) as JsonObject },
      ];
      await client.patch(deployments, at("web"), { type: "json", operations });
      return;
    }
    case "undo":
      await merge({ metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } });
      return;
    case "limit": {
      const { maxSurge, maxUnavailable } = errand;
      const { spec } = await client.get(deployments, at("web"));
      if (spec.strategy?.type === "Recreate") return;
      await merge({ spec: { strategy: { rollingUpdate: { maxSurge, maxUnavailable } } } });
      return;
    }
    case "pause":
    case "resume":
      await merge({ spec: { paused: errand.do === "pause" } });
      return;
    case "mend": {
      await merge({
        metadata: { annotations: { "deprecated.deployment.rollback.to": null } },
        spec: { paused: false },
      });
      const { spec } = await client.get(deployments, at("web"));
      if (spec.template.metadata?.annotations?.["sim.trimtab.dev/neverReady"] !== "true") return;
      return runErrand({ do: "roll-out", pods: { image: "web:mended" } }, client, random);
    }
    case "set-policy":
      await merge({ spec: { podReplacementPolicy: errand.policy } });
      return;
    case "evict": {
      const body = { metadata: { annotations: { "sim.trimtab.dev/terminationDelay": errand.endsIn } } };
      const { items } = await client.list(pods, { namespace });
      for (const { metadata } of items.filter(isActive)) {
        if (random.next() > errand.share) continue;
        await client.patch(pods, metadata, { type: "merge", body });
        await client.delete(pods, metadata);
      }
    }
  }
}
