import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { startEmbeddedCluster } from "../../src/cluster/embedding/start-embedded-cluster.ts";
import { type HttpsCaller, httpsCaller } from "../https-caller.ts";
import {
  checkedPolicies,
  evaluatedExpressions,
  policyNamed,
  policyVariables,
  robotAccess,
  writtenPolicies,
} from "./admission-policies.cases.ts";
import { comparableCaller, type ComparedRequest, differingLeaves } from "./custom-resource-answers.ts";
import { eventually } from "./eventually.ts";
import { isComparedVersion } from "./kubernetes-version.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const policies = `${registration}/validatingadmissionpolicies`;
const bindings = `${registration}/validatingadmissionpolicybindings`;
const maps = "/api/v1/namespaces/default/configmaps";

let real: RealCluster;
let ours: { readonly stop: () => Promise<void> };
let callers: readonly HttpsCaller[];
beforeAll(async () => {
  real = await startRealCluster({ scheduler: "none", nodes: 0 });
  const embedded = await startEmbeddedCluster({ https: true, nodes: 0 });
  ours = embedded;
  callers = [httpsCaller(real.access), httpsCaller(embedded.access)];
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  await ours.stop();
  await real.stop();
});

type Send = ReturnType<typeof comparableCaller>;

/** Does the same on both servers and returns where the outcomes differ. */
async function differences(outcomeOf: (send: Send) => Promise<unknown>): Promise<readonly string[]> {
  const [theirs, own] = await Promise.all(callers.map((caller) => outcomeOf(comparableCaller(caller))));
  return differingLeaves(theirs, own);
}

async function create(send: Send, request: ComparedRequest): Promise<void> {
  const { code, body } = await send(request);
  if (code !== 201) throw new Error(JSON.stringify(body));
}

describe.skipIf(!isComparedVersion)("admission policies are what they are in Kubernetes 1.36", () => {
  test.for(writtenPolicies)(
    "a policy with $name is accepted, or refused for the same reasons",
    async ({ spec }) => {
      const body = policyNamed("written", spec);
      expect(await differences((send) => send({ what: `POST ${policies}?dryRun=All`, body }))).toEqual([]);
    },
  );

  test.for(checkedPolicies)(
    "the status of a policy with $name has the same warnings",
    async ({ spec }, context) => {
      const name = `checked-${context.task.id.replaceAll(/[^a-z0-9]/g, "")}`;
      const found = await differences(async (send) => {
        await create(send, { what: `POST ${policies}`, body: policyNamed(name, spec) });
        return eventually(`${name} is checked`, async () => {
          const { body } = await send({ what: `GET ${policies}/${name}` });
          const { status = {} } = body as { readonly status?: JsonObject };
          // Upstream draws a number for each name of a type.
          const text = JSON.stringify(status).replaceAll(/(Deployment|Pod|ConfigMap)\d+/g, "$1");
          return "observedGeneration" in status ? (JSON.parse(text) as JsonObject) : undefined;
        });
      });
      expect(found).toEqual([]);
    },
  );

  test("expressions that ask what a user may do get the same answers", async () => {
    const found = await differences(async (send) => {
      for (const request of robotAccess) await create(send, request);
      // Short messages: the warnings of a response have a limit.
      const validations = evaluatedExpressions.map((expression, index) => ({
        expression,
        message: `no ${index}`,
      }));
      const reason = { expression: "false", messageExpression: "variables.reason" };
      const spec = { variables: policyVariables, validations: [...validations, reason] };
      await create(send, { what: `POST ${policies}`, body: policyNamed("asks", spec) });
      const binding = {
        metadata: { name: "asks" },
        spec: { policyName: "asks", validationActions: ["Warn"] },
      };
      await create(send, { what: `POST ${bindings}`, body: binding });
      return eventually("the policy warns", async () => {
        const { code, warnings } = await send({
          what: `POST ${maps}?dryRun=All`,
          body: { metadata: { name: "x" }, data: { k: "v" } },
        });
        return warnings.length === 0 ? undefined : { code, warnings };
      });
    });
    expect(found).toEqual([]);
  });
});
