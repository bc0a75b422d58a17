import type { Resource } from "../../src/api/resource.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { eventually } from "./eventually.ts";

/** Every workload and Pod of a namespace, in the version it has; those of markers are left out. */
async function versions(client: Client, namespace: string): Promise<readonly string[]> {
  const of = async (resource: Resource) =>
    (await client.list(resource, { namespace })).items
      .filter(({ metadata }) => !metadata.name.startsWith("marker-"))
      .map(({ metadata }) => `${resource.kind} ${metadata.name} ${metadata.resourceVersion}`);
  return [...(await of(deployments)), ...(await of(replicaSets)), ...(await of(pods))].sort();
}

/** The versions in a namespace once nothing has been written to it for a second. */
export async function atRest(client: Client, namespace: string): Promise<readonly string[]> {
  let before: readonly string[] = [];
  let same = 0;
  return eventually("nothing is written any more", async () => {
    const now = await versions(client, namespace);
    same = now.join() === before.join() ? same + 1 : 0;
    before = now;
    return same >= 10 ? now : undefined;
  });
}
