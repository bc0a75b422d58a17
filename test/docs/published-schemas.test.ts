import { expect, test } from "vitest";
import type { DocumentSchema } from "../../src/api/documents/document-schema.ts";
import { toJsonSchema } from "../../src/api/documents/to-json-schema.ts";
import { steeringSchema } from "../../src/cli/steer/steering-schema.ts";
import { pickerConfigurationSchema } from "../../src/picker/serve/configuration/picker-configuration.ts";
import { nodeGroupsSchema } from "../../src/cluster/node-groups/node-group-schema.ts";
import { schedulerConfigSchema } from "../../src/scheduler/configuration/configuration-schema.ts";
import { scenarioSchema } from "../../src/simulation/scenario-files/scenario-schema.ts";

const published: Readonly<Record<string, DocumentSchema>> = {
  scenario: scenarioSchema,
  "node-groups": nodeGroupsSchema,
  "picker-configuration": pickerConfigurationSchema,
  "steering-configuration": steeringSchema,
  "kube-scheduler-configuration": schedulerConfigSchema,
};

test.for(Object.entries(published))(
  "schema/%s.schema.json is the schema that documents are read by (vitest --update writes it)",
  async ([name, schema]) => {
    const file = new URL(`../../schema/${name}.schema.json`, import.meta.url).pathname;
    await expect(`${JSON.stringify(toJsonSchema(schema), undefined, 2)}\n`).toMatchFileSnapshot(file);
  },
);
