import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { startTestApiServer } from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import type { ApiServerAccess } from "../../src/cluster/apiserver/create-api-server.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { type HttpsCaller, httpsCaller } from "../https-caller.ts";
import { invalidDefinitions } from "../../src/cluster/apiserver/custom-resources/custom-objects.cases.ts";
import {
  fooDefinition,
  fooVersion,
} from "../../src/cluster/apiserver/custom-resources/foo-definition.contract.ts";
import {
  comparableCaller,
  type ComparedRequest,
  differingLeaves,
  lastVersion,
} from "./custom-resource-answers.ts";
import { drawnRuleDefinition, ruledSpecs, ruleDefinitions } from "./custom-resources.cases.ts";
import { eventually } from "./eventually.ts";
import { isComparedVersion } from "./kubernetes-version.ts";
import { randomObjectSchema, randomValue } from "./random-schema.ts";
import { randomRule } from "./random-rule.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const drawn = 60;
const established = 25;
const drawnRules = Number(process.env["TRIMTAB_RULES"] ?? 100);
/** How many of the rules that compile one kind has. */
const rulesEach = 10;
const objectsEach = Number(process.env["TRIMTAB_OBJECTS"] ?? 40);

let real: RealCluster;
let access: ApiServerAccess;
let callers: readonly HttpsCaller[];
beforeAll(async () => {
  real = await startRealCluster({ controllers: "none", scheduler: "none", nodes: 0 });
  const { server } = await startTestApiServer({ startAt: new WallClock().now() });
  access = await server.listen({ port: 0 });
  callers = [httpsCaller(real.access), httpsCaller(access)];
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  await access.close();
  await real.stop();
});

/** Sends the requests to both servers in turn and returns where the answers differ. */
async function differences(requests: readonly ComparedRequest[]) {
  const [theirs, ours] = callers.map(comparableCaller);
  const found: string[] = [];
  for (const request of requests) {
    const answers = await Promise.all([theirs?.(request), ours?.(request)]);
    const differing = differingLeaves(answers[0], answers[1]).filter(
      (line) => !line.includes(managersDropped),
    );
    if (differing.length > 0)
      found.push(`${request.what} ${JSON.stringify(request.body)}\n${differing.join("\n")}`);
  }
  return found;
}

// kube-apiserver drops the managers of a new object whose status, which is discarded, does not fit the schema.
const managersDropped = ".managedFields: theirs undefined";

const random = seededRandom(process.env["TRIMTAB_SEED"] ?? "custom resources");
const drawnDefinitions = Array.from({ length: drawn }, (_, index) => {
  const own = random.fork(`definition ${index}`);
  const [spec, status] = [randomObjectSchema(own), randomObjectSchema(own, 2)];
  return definitionOf(index, { type: "object", properties: { spec, status } });
});

function definitionOf(index: number, openAPIV3Schema: JsonObject): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `kind${index}s.random.example.com` },
    spec: {
      group: "random.example.com",
      scope: "Namespaced",
      names: { plural: `kind${index}s`, kind: `Kind${index}` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          ...(index % 2 === 0 && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

describe.skipIf(!isComparedVersion)("custom resources are served as kube-apiserver 1.36 does", () => {
  test("random definitions are refused for the same reasons", async () => {
    const found = await Promise.all(
      drawnDefinitions.map((body) => differences([{ what: `POST ${definitions}?dryRun=All`, body }])),
    );
    expect(found.flat().join("\n\n")).toBe("");
  });

  test("random objects get the same answers", async () => {
    const accepted = (await acceptedOf(drawnDefinitions)).slice(0, established);
    expect(accepted).toHaveLength(established);
    await Promise.all(accepted.map(([, body]) => establish(body)));
    const found = await Promise.all(
      accepted.map(([index, body]) => differences(objectRequests(index, body))),
    );
    expect(found.flat().join("\n\n")).toBe("");
  });

  test("rules are compiled and evaluated alike", async () => {
    const found = await Promise.all(
      ruleDefinitions.map((body) => differences([{ what: `POST ${definitions}?dryRun=All`, body }])),
    );
    expect(found.flat().join("\n\n")).toBe("");
    const accepted = await acceptedOf(ruleDefinitions);
    await Promise.all(accepted.map(([, body]) => establish(body)));
    const evaluated = await Promise.all(accepted.map(([index]) => differences(ruledRequests(index))));
    expect(evaluated.flat().join("\n\n")).toBe("");
  });

  test("random rules are compiled and evaluated alike", async () => {
    const own = random.fork("rules");
    const texts = Array.from({ length: drawnRules }, () => randomRule(own));
    const alone = texts.map((rule, index) => drawnRuleDefinition(index, [rule]));
    const found = await Promise.all(
      alone.map((body) => differences([{ what: `POST ${definitions}?dryRun=All`, body }])),
    );
    expect(found.flat().join("\n\n")).toBe("");
    const compiled = (await acceptedOf(alone)).map(([index]) => texts[index] ?? "");
    const together = Array.from({ length: Math.ceil(compiled.length / rulesEach) }, (_, index) =>
      drawnRuleDefinition(index, compiled.slice(index * rulesEach, (index + 1) * rulesEach)),
    );
    await Promise.all(together.map((body) => establish(body)));
    const [theirs = new Map<string, string>(), ours = new Map<string, string>()] = await Promise.all(
      callers.map((caller) => brokenRules(caller, together.length)),
    );
    const differing = [...new Set([...theirs.keys(), ...ours.keys()])].filter(
      (rule) => theirs.get(rule) !== ours.get(rule) && !isPanic.test(theirs.get(rule) ?? ""),
    );
    const lines = differing.map((rule) => `${rule}: theirs ${theirs.get(rule)}, ours ${ours.get(rule)}`);
    expect(lines.join("\n")).toBe("");
  });

  test("definitions that are refused are so for the same reasons", async () => {
    const found = await Promise.all(
      invalidDefinitions
        .filter(({ name }) => !printsInternalJson.has(name))
        .map(({ versions = [{}], spec, metadata }) => {
          const definition = fooDefinition(
            versions.map((version, index) => fooVersion(`v${index + 1}`, version)),
            spec,
          );
          const body = metadata === undefined ? definition : { ...definition, metadata };
          return differences([{ what: `POST ${definitions}?dryRun=All`, body }]);
        }),
    );
    expect(found.flat().join("\n\n")).toBe("");
  });
});

/** kube-apiserver prints its internal form of the whole versions or schema, which is left out here. */
const printsInternalJson = new Set(["two versions are stored", "the root has an enum beside a status"]);

/** Returns the definitions that are accepted, with their numbers. */
async function acceptedOf(all: readonly JsonObject[]): Promise<readonly [number, JsonObject][]> {
  const caller = callers[1];
  if (caller === undefined) throw new Error("no caller");
  const accepted: [number, JsonObject][] = [];
  for (const [index, body] of all.entries()) {
    const { code } = await comparableCaller(caller)({ what: `POST ${definitions}?dryRun=All`, body });
    if (code === 201) accepted.push([index, body]);
  }
  return accepted;
}

/** Creates of each spec, and an update of an object to each. */
function ruledRequests(index: number, place = "rules"): readonly ComparedRequest[] {
  const path = `/apis/${place}.example.com/v1/namespaces/default/rule${index}s`;
  const object = (spec: JsonObject, metadata: JsonObject = {}) => ({
    apiVersion: `${place}.example.com/v1`,
    kind: `Rule${index}`,
    metadata: { name: "x", ...metadata },
    spec,
  });
  const creates = ruledSpecs.map((spec) => ({ what: `POST ${path}?dryRun=All`, body: object(spec) }));
  const stored = ruledSpecs.map((spec) => ({ what: `POST ${path}`, body: object(spec) }));
  const updates = ruledSpecs.map((spec) => ({
    what: `PUT ${path}/x?dryRun=All`,
    body: object(spec, { resourceVersion: lastVersion }),
  }));
  return [...creates, ...stored, { what: `GET ${path}/x` }, ...updates];
}

/** What cel-go says when an error in a loop meets the next item; ours says what the error was. */
const isPanic = /internal error: interface conversion/;

/** Evaluates rules that were drawn and returns what is said of those that are broken, by request and rule. */
async function brokenRules(caller: HttpsCaller, kinds: number): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  const send = comparableCaller(caller);
  for (let index = 0; index < kinds; index++)
    for (const [position, request] of ruledRequests(index, "drawn").entries()) {
      const { code, body } = await send(request);
      const { causes } = body as { readonly causes?: readonly string[] };
      said.set(`rule${index}s, request ${position}`, String(code));
      for (const cause of causes ?? []) {
        const { message } = JSON.parse(cause) as { readonly message: string };
        const [, why, rule] = /^(.*?) ?(?:evaluating |failed |for )rule: (.*)$/s.exec(message) ?? [];
        said.set(`rule${index}s, request ${position}, ${rule ?? message}`, why ?? message);
      }
    }
  return said;
}

async function establish(definition: JsonObject): Promise<void> {
  const { name } = definition["metadata"] as { readonly name: string };
  for (const caller of callers) {
    const send = comparableCaller(caller);
    const created = await send({ what: `POST ${definitions}`, body: definition });
    if (created.code !== 201) throw new Error(JSON.stringify(created.body));
    await eventually(`${name} is established`, async () => {
      const { body } = await send({ what: `GET ${definitions}/${name}` });
      return (
        /"type":"Established","status":"True"|"status":"True","type":"Established"/.test(
          JSON.stringify(body),
        ) || undefined
      );
    });
  }
}

function objectRequests(index: number, definition: JsonObject): readonly ComparedRequest[] {
  const own = random.fork(`objects ${index}`);
  const { versions } = definition["spec"] as {
    readonly versions: readonly [{ readonly schema: JsonObject }];
  };
  const schema = versions[0].schema["openAPIV3Schema"] as {
    readonly properties: Readonly<Record<string, JsonObject>>;
  };
  const path = `/apis/random.example.com/v1/namespaces/default/kind${index}s`;
  return Array.from({ length: objectsEach }, () => {
    const fieldValidation = ["Strict", "Warn", "Ignore"][randomInt(own, 3)];
    const { spec = {}, status = {} } = schema.properties;
    return {
      what: `POST ${path}?dryRun=All&fieldValidation=${fieldValidation}`,
      body: {
        apiVersion: "random.example.com/v1",
        kind: `Kind${index}`,
        metadata: { name: "x" },
        spec: randomValue(own, spec),
        ...(randomInt(own, 3) === 0 && { status: randomValue(own, status) }),
      },
    };
  });
}
