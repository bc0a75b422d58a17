import {
  configMaps,
  controllerComponent,
  done,
  enqueueObject,
  isAlreadyExists,
  secrets,
  watching,
} from "../../../src/machinery/index.ts";
import { namespace, objectCount, type Operator } from "./operator.ts";

const parentLabel = "example.com/parent";
const observed = "example.com/observed-step";

/**
 * Gives every ConfigMap with a step one Secret. The mistake: it looks into its cache whether there is one, and creates one
 * with a generated name if not, although the cache may not show yet what it has created.
 */
export const doubleCreation: Operator = {
  component: (isMistaken) =>
    controllerComponent({
      name: "double-creation",
      create({ client, informers }) {
        const parents = informers.of(configMaps);
        const children = informers.of(secrets);
        const createChild = async (parent: string) => {
          const labels = { [parentLabel]: parent };
          if (isMistaken) {
            if (children.list().some(({ metadata }) => metadata.labels?.[parentLabel] === parent)) return;
            await client.create(secrets, { metadata: { namespace, generateName: `${parent}-`, labels } });
            return;
          }
          try {
            await client.create(secrets, { metadata: { namespace, name: `${parent}-child`, labels } });
          } catch (error) {
            if (!isAlreadyExists(error)) throw error;
          }
        };
        return {
          name: "double-creation",
          workers: 2,
          watches: [watching(parents, enqueueObject), children],
          async reconcile(key) {
            const parent = parents.get(key);
            const step = parent?.data?.["step"];
            if (parent === undefined || step === undefined) return done;
            const { name, annotations } = parent.metadata;
            await createChild(name);
            if (annotations?.[observed] === step) return done;
            const body = { metadata: { annotations: { [observed]: step } } };
            await client.patch(configMaps, { namespace, name }, { type: "merge", body });
            return done;
          },
        };
      },
    }),
  async scenario({ client, until }) {
    const names = Array.from({ length: objectCount }, (_, index) => `parent-${index}`);
    const childrenOf = async (name: string) =>
      (await client.list(secrets, { namespace, labelSelector: `${parentLabel}=${name}` })).items;
    for (const name of names) {
      await client.create(configMaps, { metadata: { namespace, name }, data: { step: "1" } });
      await until(`${name} has no child`, async () => (await childrenOf(name)).at(0));
      await client.patch(configMaps, { namespace, name }, { type: "merge", body: { data: { step: "2" } } });
    }
    for (const name of names) {
      await until(`${name} is not seen`, async () => {
        const { metadata } = await client.get(configMaps, { namespace, name });
        return metadata.annotations?.[observed] === "2" ? metadata : undefined;
      });
      const children = await childrenOf(name);
      if (children.length !== 1) throw new Error(`${name} has ${children.length} children`);
    }
  },
};
