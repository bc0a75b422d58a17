import { pods } from "../api/resources.ts";
import type { ApiServer } from "../cluster/apiserver/create-api-server.ts";
import { adminGroup } from "../cluster/apiserver/auth/user.ts";
import type { ObjectName } from "../machinery/client/client.ts";

const user = { name: "system:admin", groups: [adminGroup] };

/** Creates an Eviction of a Pod; throws an `ApiError` (429) where a disruption budget forbids it now. */
export async function evictPod(
  { requestHandler, kinds }: ApiServer,
  { namespace, name }: ObjectName,
): Promise<void> {
  const resource = kinds.find(pods.group, pods.version, pods.plural);
  if (resource === undefined) throw new Error("this API server has no Pods");
  const value = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } };
  const request = { verb: "create", resource, subresource: "eviction", namespace, name, user } as const;
  await requestHandler.handle({ ...request, options: {}, body: { form: "value", value } });
}
