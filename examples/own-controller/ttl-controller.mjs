import {
  configMaps,
  controllerComponent,
  done,
  enqueueObject,
  isNotFound,
  watching,
} from "trimtab/controllers";

const annotation = "example.com/ttl-seconds";

/** Deletes every ConfigMap with the annotation, so many seconds after it was created. */
export const ttlController = controllerComponent({
  name: "ttl",
  create({ client, clock, informers }) {
    const maps = informers.of(configMaps);
    return {
      name: "ttl",
      workers: 2,
      watches: [watching(maps, enqueueObject)],
      async reconcile(key, signal) {
        const map = maps.get(key);
        const ttlSeconds = Number(map?.metadata.annotations?.[annotation]);
        if (map === undefined || Number.isNaN(ttlSeconds)) return done;
        const { namespace, name, uid, creationTimestamp } = map.metadata;
        const expiresAt = Date.parse(creationTimestamp) + ttlSeconds * 1000;
        if (clock.now() < expiresAt) return { requeueAt: expiresAt };
        try {
          await client.delete(configMaps, { namespace, name }, { preconditions: { uid }, signal });
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
        return done;
      },
    };
  },
});
