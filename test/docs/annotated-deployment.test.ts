import { expect, test } from "vitest";
import { parse } from "yaml";
import { isJsonObject } from "../../src/api/json.ts";
import { decodeObject } from "../../src/api/schema/decode-object.ts";
import { kindByName } from "../../src/api/schema/table.ts";
import { convertText } from "../../src/cli/convert/convert-text.ts";
import { validateWishes } from "../../src/decisions/stock/validate-wish.ts";
import { codeBlocks, readPage } from "./markdown.ts";

/** The complete Deployment that a page shows for clusters which do not know our fields. */
function annotatedDeployment(page: string): string {
  const blocks = codeBlocks(readPage(page)).filter(
    ({ language, text }) => language === "yaml" && text.includes("\nkind: Deployment\n"),
  );
  expect(blocks).toHaveLength(1);
  return blocks[0]?.text ?? "";
}

test("docs/steering.md and docs/pod-picker.md show the same complete Deployment", () => {
  expect(annotatedDeployment("docs/steering.md")).toBe(annotatedDeployment("docs/pod-picker.md"));
});

test("its fields are Kubernetes' own, and its annotations are wishes that steer accepts", () => {
  const text = annotatedDeployment("docs/steering.md");
  const deployment: unknown = parse(text);
  const decoded = decodeObject(kindByName("apps/v1", "Deployment")?.type ?? "", deployment as never);
  expect(decoded).toMatchObject({ ok: true, unknownFields: [] });
  const metadata =
    isJsonObject(deployment) && isJsonObject(deployment["metadata"]) ? deployment["metadata"] : {};
  const annotations = isJsonObject(metadata["annotations"]) ? metadata["annotations"] : {};
  expect(Object.keys(annotations)).toHaveLength(2);
  expect(validateWishes(annotations, "metadata.annotations")).toEqual([]);
  expect(convertText(text, "stock")).toEqual({ ok: true, text });
});
