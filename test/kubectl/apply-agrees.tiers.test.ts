import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { loggedBody, output, printedObject, withoutServerFields } from "./printed.ts";

// The server and kubectl compute the same object from a change that needs every directive of a strategic merge patch.
describeWithKubectl(({ openNamespace }) => {
  test("what the server makes of an apply is what kubectl makes of it", { timeout: 180_000 }, async () => {
    const shell = await openNamespace("agreeing");
    await output(shell, "apply -f everything.yaml");
    const before = await output(shell, "get deployment everything -o json");
    const { code, out, err } = await shell.run("apply -f everything-changed.yaml -v=10");
    expect({ code, out }).toEqual({ code: 0, out: "deployment.apps/everything configured\n" });
    const after = await printedObject(shell, "get deployment everything -o json");

    const patch = loggedBody(err);
    for (const directive of [
      "$setElementOrder",
      "$deleteFromPrimitiveList",
      "$retainKeys",
      '"$patch":"delete"',
    ])
      expect(patch).toContain(directive);
    writeFileSync(path.join(shell.home, "before.json"), before);
    writeFileSync(path.join(shell.home, "patch.json"), patch);
    const local = await output(shell, "patch --local -f before.json --patch-file=patch.json -o json");
    // The server fills in defaults; so it may for what kubectl computed.
    const defaulted = await printedObject(shell, "replace --dry-run=server -o json -f -", unversioned(local));
    expect(essenceOf(after)).toEqual(essenceOf(defaulted));
  });

  test("the second apply of a manifest changes nothing", { timeout: 180_000 }, async () => {
    const shell = await openNamespace("repeating");
    const manifests = ["everything.yaml", "everything-changed.yaml", "shop-changed.yaml", "web.yaml"];
    for (const manifest of manifests) {
      await output(shell, `apply -f ${manifest}`);
      const first = await printedObject(shell, `get -f ${manifest} -o json`);
      expect(await output(shell, `apply -f ${manifest}`)).toMatch(/ unchanged\n$/);
      const second = await printedObject(shell, `get -f ${manifest} -o json`);
      expect(withoutServerFields(second)).toEqual(withoutServerFields(first));
    }
  });
});

/** An object without its annotations: `replace` puts into them what was replaced last. */
function essenceOf(object: JsonObject): JsonObject {
  const { metadata, ...rest } = withoutServerFields(object);
  return { ...rest, metadata: { ...(metadata as JsonObject), annotations: {} } };
}

/** The object without a resource version, so that `replace` overwrites any stored version. */
function unversioned(text: string): string {
  const object = JSON.parse(text) as { metadata: object };
  return JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}
