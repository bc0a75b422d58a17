import { test } from "vitest";
import { expectResponse, type HostileRequest, hostileTestCluster, pods } from "./fixture.ts";

const fixture = hostileTestCluster();

const pod = (name: string, container: object, annotations: object = {}) =>
  JSON.stringify({
    metadata: { name, annotations },
    spec: { containers: [{ name: "c", image: "i", ...container }] },
  });
const container = { name: "c", image: "i" };
const cronJob = (schedule: string) =>
  JSON.stringify({
    metadata: { name: "x" },
    spec: {
      schedule,
      jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } } },
    },
  });
const cronJobs = "/apis/batch/v1/namespaces/default/cronjobs";

// Each of them once kept the server from answering anyone: for hours, or for ever.
const requests: readonly HostileRequest[] = [
  {
    name: "a schedule of 130 bytes, each piece of which could be read in two ways,",
    what: `POST ${cronJobs}`,
    body: cronJob(`@every ${"11m".repeat(40)}!`),
    code: 422,
    reason: "Invalid",
    says: /failed to parse duration/,
  },
  {
    name: "a schedule of a million digits",
    what: `POST ${cronJobs}`,
    body: cronJob(`@every ${"1".repeat(1_000_000)}!`),
    code: 422,
    reason: "Invalid",
  },
  {
    name: "a quantity of a million digits",
    what: `POST ${pods}`,
    body: pod("digits", { resources: { requests: { cpu: `${"1".repeat(1_000_000)}!` } } }),
    code: 400,
    reason: "BadRequest",
    says: /quantities must match the regular expression/,
  },
  {
    name: "a script of a million spaces",
    what: `POST ${pods}`,
    body: pod("spaces", { command: ["sh", "-c", `true${" ".repeat(1_000_000)}true`] }),
    code: 201,
  },
  {
    name: "a delay of 130 bytes, each piece of which could be read in two ways,",
    what: `POST ${pods}`,
    body: pod("delay", {}, { "sim.trimtab.dev/terminationDelay": `${"11m".repeat(40)}!` }),
    code: 201,
  },
  {
    name: "a share of two hundred thousand digits",
    what: `POST ${pods}`,
    body: pod("share", {}, { "sim.trimtab.dev/loadWeight": `${"1".repeat(200_000)}!` }),
    code: 201,
  },
];

test.for(requests)("$name is answered with $code at once", (request) => expectResponse(fixture, request));
