import { cronJobs, jobs, pods } from "../api/resources.ts";
import { type Component, controllerComponent } from "../machinery/component/component.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import { cronJobController } from "./cronjob/controller.ts";
import { jobController } from "./job/controller.ts";
import { orphanPodsController } from "./job/orphan-pods.ts";
import { ttlAfterFinishedController } from "./ttl-after-finished/controller.ts";

const jobPods = controllerComponent({
  name: "job",
  create: (environment) => {
    const { client, clock, log, informers } = environment;
    return jobController({
      client,
      clock,
      log,
      jobs: informers.of(jobs),
      pods: informers.of(pods),
      events: eventRecorderFor(environment, "job-controller"),
    });
  },
});

const orphanPods = controllerComponent({
  name: "job-orphan-pods",
  create: ({ client, informers }) =>
    orphanPodsController({ client, jobs: informers.of(jobs), pods: informers.of(pods) }),
});

/**
 * The controllers of Jobs and CronJobs. They run in the embedded cluster only: other clusters have their own, and two
 * controllers of one Job would work against each other.
 */
export const batchControllers: readonly Component[] = [
  {
    name: "job",
    kinds: [jobs],
    async start(environment) {
      await Promise.all([jobPods.start(environment), orphanPods.start(environment)]);
    },
  },
  controllerComponent({
    name: "cronjob",
    kinds: [cronJobs],
    create: (environment) => {
      const { client, clock, informers } = environment;
      return cronJobController({
        client,
        clock,
        cronJobs: informers.of(cronJobs),
        jobs: informers.of(jobs),
        events: eventRecorderFor(environment, "cronjob-controller"),
      });
    },
  }),
  controllerComponent({
    name: "ttl-after-finished",
    create: ({ client, clock, informers }) =>
      ttlAfterFinishedController({ client, clock, jobs: informers.of(jobs) }),
  }),
];
