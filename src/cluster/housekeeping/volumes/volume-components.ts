import {
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
} from "../../../api/resources.ts";
import { simulatedProvisioner } from "../../../api/volume-names.ts";
import { type Component, controllerComponent } from "../../../machinery/component/component.ts";
import { eventRecorderFor } from "../../../machinery/events/event-recorder.ts";
import { ephemeralVolumesController } from "./ephemeral-volumes.ts";
import { volumeBinder } from "./volume-binder.ts";
import { claimProtectionController, volumeProtectionController } from "./volume-protection.ts";

/** Binds claims to simulated volumes, and makes the claims of ephemeral volumes. */
export const persistentVolumeBinder: Component = {
  name: "persistentvolume-binder",
  kinds: [persistentVolumeClaims, persistentVolumes, storageClasses],
  async start(environment) {
    await Promise.all([binder, ephemeralVolumes].map((controller) => controller.start(environment)));
  },
};

/** Keeps deleted claims and volumes while they are in use. */
export const volumeProtectionComponent: Component = {
  name: "volume-protection",
  kinds: [],
  async start(environment) {
    await Promise.all([protectedClaims, protectedVolumes].map((controller) => controller.start(environment)));
  },
};

const binder = controllerComponent({
  name: "persistentvolume-binder",
  create: (environment) => {
    const { client, clock, informers } = environment;
    return volumeBinder({
      client,
      clock,
      claims: informers.of(persistentVolumeClaims),
      volumes: informers.of(persistentVolumes),
      classes: informers.of(storageClasses),
      pods: informers.of(pods),
      nodes: informers.of(nodes),
      events: {
        binder: eventRecorderFor(environment, "persistentvolume-controller"),
        provisioner: eventRecorderFor(environment, simulatedProvisioner),
        expander: eventRecorderFor(environment, "volume_expand"),
        resizer: eventRecorderFor(environment, `external-resizer ${simulatedProvisioner}`),
      },
    });
  },
});

const ephemeralVolumes = controllerComponent({
  name: "ephemeral-volume",
  create: (environment) => {
    const { client, informers } = environment;
    return ephemeralVolumesController({
      client,
      claims: informers.of(persistentVolumeClaims),
      pods: informers.of(pods),
      events: eventRecorderFor(environment, "ephemeral_volume"),
    });
  },
});

const protectedClaims = controllerComponent({
  name: "persistentvolumeclaim-protection",
  create: ({ client, informers }) =>
    claimProtectionController({
      client,
      claims: informers.of(persistentVolumeClaims),
      pods: informers.of(pods),
    }),
});

const protectedVolumes = controllerComponent({
  name: "persistentvolume-protection",
  create: ({ client, informers }) =>
    volumeProtectionController({ client, volumes: informers.of(persistentVolumes) }),
});
