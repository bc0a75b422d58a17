import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import type { CustomResourceDefinition } from "../../src/api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { startTestApiServer } from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import type { ApiServerAccess } from "../../src/cluster/apiserver/create-api-server.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import type { BuiltTool } from "../clients/tool-cache.ts";
import { type HttpsCaller, httpsCaller } from "../https-caller.ts";
import { collect, operators, publishedFiles } from "./operators.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Samples that kube-apiserver refuses as well, and what it says. */
const refusedSamples: Readonly<Record<string, string>> = {
  "keda_v1alpha1_scaledjob.yaml": "spec.jobTargetRef.template: Required value",
  "apps_v1alpha1_advancedcronjob.yaml": 'unknown field "spec.foo"',
  "apps_v1alpha1_containerrecreaterequest.yaml": 'unknown field "spec.foo"',
  "apps_v1alpha1_ephemeraljob.yaml": 'unknown field "spec.foo"',
  "apps_v1beta1_statefulset.yaml": 'unknown field "spec.foo"',
};

interface Sample {
  /** Absent in files that are no objects, such as values of charts. */
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name?: string };
}

describe.each(operators)("the definitions of $module", (operator) => {
  let collected: BuiltTool;
  let access: ApiServerAccess;
  let caller: HttpsCaller;
  beforeAll(async () => {
    collected = await collect(operator);
    const { server } = await startTestApiServer({ startAt: new WallClock().now() });
    access = await server.listen({ port: 0 });
    caller = httpsCaller(access);
  }, 1_800_000);
  afterAll(async () => {
    caller.close();
    await access.close();
  });

  const folderFor = ({ skip }: TestContext) =>
    "missing" in collected ? skip(collected.missing) : collected.folder;

  test("are accepted as they are published, in YAML, and established", async (context) => {
    const files = publishedFiles(folderFor(context), "definitions");
    expect(files.length).toBeGreaterThan(0);
    for (const { file, text, objects } of files) {
      const created = await send(`POST ${definitionsPath}?fieldValidation=Strict`, text, "application/yaml");
      expect([file, created.code, created.warning]).toEqual([file, 201, undefined]);
      const [published] = objects as unknown as readonly CustomResourceDefinition[];
      const stored = await definitionNamed(published?.metadata.name ?? "");
      expect(stored.spec.versions).toEqual(published?.spec.versions);
      expect(stored.status?.acceptedNames).toEqual(stored.spec.names);
      expect(conditionsOf(stored)).toMatchObject({ NamesAccepted: "True", Established: "True" });
    }
  });

  test("are found by discovery and described by OpenAPI", async () => {
    for (const { spec } of await stored()) {
      for (const { name } of spec.versions.filter(({ served }) => served)) {
        const path = `apis/${spec.group}/${name}`;
        const { body: found } = await send(`GET /${path}`);
        expect(found["resources"]).toContainEqual(
          expect.objectContaining({ name: spec.names.plural, kind: spec.names.kind }),
        );
        const { body: described } = await send(`GET /openapi/v3/${path}`);
        const { schemas } = described["components"] as { readonly schemas: JsonObject };
        expect(Object.keys(schemas)).toContain(
          `${[...spec.group.split(".").toReversed(), name].join(".")}.${spec.names.kind}`,
        );
      }
    }
    expect((await send("GET /openapi/v2")).code).toBe(200);
  });

  test("serve the sample objects: created, shown, applied, listed and deleted", async (context) => {
    const definitions = await stored();
    let served = 0;
    const samples = publishedFiles(folderFor(context), "samples").flatMap(({ file, objects }) =>
      objects.map((object) => ({ file, sample: object as unknown as Sample })),
    );
    for (const { file, sample } of samples) {
      const path = pathOf(definitions, sample);
      if (path === undefined) continue;
      await serve(path, sample, file);
      served += 1;
    }
    expect(served).toBeGreaterThan(0);
  });

  async function serve(path: string, sample: Sample, file: string): Promise<void> {
    const body = { ...sample, metadata: { ...sample.metadata, namespace: undefined } };
    const created = await send(`POST ${path}?fieldValidation=Strict`, body);
    const refused = refusedSamples[file];
    if (refused !== undefined) {
      expect(created.body["message"]).toContain(refused);
      return;
    }
    expect([file, created.code, created.body["message"]]).toEqual([file, 201, undefined]);
    const { name } = created.body["metadata"] as { readonly name: string };
    const shown = await send(`GET ${path}`, undefined, "application/json;as=Table;v=v1;g=meta.k8s.io");
    expect(shown.body).toMatchObject({ kind: "Table", rows: [{ cells: expect.arrayContaining([name]) }] });
    // As kube-rs applies: JSON, which is YAML.
    const applied = await send(
      `PATCH ${path}/${name}?fieldManager=tester&force=true`,
      { ...body, metadata: { ...body.metadata, name, generateName: undefined } },
      "application/apply-patch+yaml",
    );
    expect([file, applied.code, applied.body["message"]]).toEqual([file, 200, undefined]);
    expect(applied.body["spec"]).toEqual(created.body["spec"]);
    expect((await send(`DELETE ${path}/${name}`)).code).toBe(200);
  }

  async function stored(): Promise<readonly CustomResourceDefinition[]> {
    const { body } = await send(`GET ${definitionsPath}`);
    return body["items"] as unknown as readonly CustomResourceDefinition[];
  }

  async function definitionNamed(name: string): Promise<CustomResourceDefinition> {
    const { body } = await send(`GET ${definitionsPath}/${name}`);
    return body as unknown as CustomResourceDefinition;
  }

  /** Sends a request; the type is that of the body, or of the answer where there is no body. */
  async function send(what: string, body?: object | string, type = "application/json") {
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const answered = await caller.call(what, {
      headers:
        text === undefined
          ? { accept: type }
          : { "content-type": type, "content-length": String(Buffer.byteLength(text)) },
      ...(text !== undefined && { body: text }),
    });
    const { code, headers } = answered;
    const isJson = headers["content-type"]?.startsWith("application/json") === true;
    return {
      code,
      warning: headers["warning"],
      body: (isJson ? JSON.parse(answered.text) : { message: answered.text }) as JsonObject,
    };
  }
});

const conditionsOf = ({ status }: CustomResourceDefinition) =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: value }) => [type, value]));

/** Where objects of the kind are; undefined: it is none of these definitions. */
function pathOf(
  definitions: readonly CustomResourceDefinition[],
  { apiVersion = "", kind }: Sample,
): string | undefined {
  const [group] = apiVersion.split("/");
  const definition = definitions.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  if (definition === undefined) return undefined;
  const { names, scope } = definition.spec;
  const namespaced = scope === "Namespaced" ? "namespaces/default/" : "";
  return `/apis/${apiVersion}/${namespaced}${names.plural}`;
}
