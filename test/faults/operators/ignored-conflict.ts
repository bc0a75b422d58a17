import {
  configMaps,
  controllerComponent,
  done,
  enqueueObject,
  isAlreadyExists,
  isConflict,
  secrets,
  watching,
} from "../../../src/machinery/index.ts";
import { namespace, objectCount, type Operator } from "./operator.ts";

const prefix = "source-";
const copied = "example.com/value";
const values = ["1", "2", "3"];

/**
 * Copies the value of every ConfigMap to an annotation of a Secret of its name. The mistake: it takes a conflict for
 * somebody else's work and does not try again.
 */
export const ignoredConflict: Operator = {
  component: (isMistaken) =>
    controllerComponent({
      name: "ignored-conflict",
      create({ client, informers }) {
        const sources = informers.of(configMaps);
        const copies = informers.of(secrets);
        const copyValue = async (key: string, name: string, value: string) => {
          const annotations = { [copied]: value };
          const copy = copies.get(key);
          if (copy === undefined)
            await client.create(secrets, { metadata: { namespace, name, annotations } });
          else if (copy.metadata.annotations?.[copied] !== value)
            await client.update(secrets, { ...copy, metadata: { ...copy.metadata, annotations } });
        };
        return {
          name: "ignored-conflict",
          workers: 2,
          watches: [watching(sources, enqueueObject), copies],
          async reconcile(key) {
            const source = sources.get(key);
            const value = source?.data?.["value"];
            if (source === undefined || value === undefined) return done;
            try {
              await copyValue(key, source.metadata.name, value);
            } catch (error) {
              const isIgnored = isMistaken && (isConflict(error) || isAlreadyExists(error));
              if (!isIgnored) throw error;
            }
            return done;
          },
        };
      },
    }),
  async scenario({ client, until }) {
    const names = Array.from({ length: objectCount }, (_, index) => `${prefix}${index}`);
    for (const name of names) await client.create(configMaps, { metadata: { namespace, name } });
    for (const value of values)
      for (const name of names) {
        await client.patch(configMaps, { namespace, name }, { type: "merge", body: { data: { value } } });
        await until(`${name} has the value ${value}, its copy has not`, async () => {
          const { items } = await client.list(secrets, { namespace, fieldSelector: `metadata.name=${name}` });
          return items[0]?.metadata.annotations?.[copied] === value ? value : undefined;
        });
      }
  },
};
