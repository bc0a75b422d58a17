import {
  configMaps,
  controllerComponent,
  done,
  enqueueObject,
  secrets,
  watching,
} from "../../../src/machinery/index.ts";
import { namespace, objectCount, type Operator } from "./operator.ts";

const own = "example.com/in-use";
const others = "example.com/of-another-operator";

/**
 * Protects every ConfigMap by a finalizer as soon as there is a Secret of its name. The mistake: it writes the whole list of
 * finalizers, made from its cache, without saying from which version, and so takes away one that another operator has
 * just added.
 */
export const lostFinalizer: Operator = {
  component: (isMistaken) =>
    controllerComponent({
      name: "lost-finalizer",
      create({ client, informers }) {
        const claims = informers.of(configMaps);
        const uses = informers.of(secrets);
        return {
          name: "lost-finalizer",
          workers: 2,
          watches: [watching(claims, enqueueObject), watching(uses, enqueueObject)],
          async reconcile(key) {
            const claim = claims.get(key);
            if (claim === undefined || uses.get(key) === undefined) return done;
            const { name, finalizers = [], resourceVersion } = claim.metadata;
            if (finalizers.includes(own)) return done;
            const metadata = {
              finalizers: [...finalizers, own],
              ...(!isMistaken && { resourceVersion }), // 409 if the list is an old one: this is then tried again
            };
            await client.patch(configMaps, { namespace, name }, { type: "merge", body: { metadata } });
            return done;
          },
        };
      },
    }),
  async scenario({ client, until }) {
    for (const name of Array.from({ length: objectCount }, (_, index) => `claim-${index}`)) {
      await client.create(configMaps, { metadata: { namespace, name } });
      const body = { metadata: { finalizers: [others] } };
      await client.patch(configMaps, { namespace, name }, { type: "merge", body });
      await client.create(secrets, { metadata: { namespace, name } });
      const finalizers = await until(`${name} is not protected`, async () => {
        const { metadata } = await client.get(configMaps, { namespace, name });
        return metadata.finalizers?.includes(own) === true ? metadata.finalizers : undefined;
      });
      if (!finalizers.includes(others)) throw new Error(`${name} has lost the finalizer ${others}`);
    }
  },
};
