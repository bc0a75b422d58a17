import { expect, test } from "vitest";
import {
  type ResponseSummary,
  startTestApiServer,
  type TestApiServer,
} from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import { isUnsupportedKind } from "../../src/cluster/apiserver/discovery/listed-resource.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import { collectionPath, problemWith, type RandomRequest, randomRequest } from "./random-request.ts";

const { server } = await startTestApiServer();
const resources = server.kinds.all.filter(({ verbs }) => verbs.includes("create"));
const requestsPerResource = Math.ceil(perTier({ unit: 2500, full: 75_000 }) / resources.length);
test.for(
  resources.map(
    (resource) => [`${resource.group || "core"}/${resource.version} ${resource.plural}`, resource] as const,
  ),
)(
  "whatever is sent to %s, the answer is a Status or an object, never a failure of the server",
  async ([, resource]) => {
    const random = seededRandom(`${resource.group}/${resource.version}/${resource.plural}`);
    const api = await startTestApiServer();
    for (let sent = 0; sent < requestsPerResource; sent++) {
      const request = randomRequest(resource, random);
      const answer = await send(api, request);
      expect(problemWith(answer), `${request.what} ${JSON.stringify(request.body)}`).toBeUndefined();
    }
    // What was accepted can be listed, and does not keep the next object out.
    const listed = resource.verbs.includes("list") ? 200 : 405;
    const isMissing = isUnsupportedKind(resource);
    expect((await api.request(`GET ${collectionPath(resource)}`)).code).toBe(isMissing ? 404 : listed);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

async function send(
  api: TestApiServer,
  { what, body, contentType }: RandomRequest,
): Promise<ResponseSummary> {
  return api.request(what, body, contentType ?? "application/json");
}
