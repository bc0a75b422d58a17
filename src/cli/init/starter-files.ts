/** A file that `trimtab init` writes. */
export interface StarterFile {
  readonly path: string;
  readonly text: string;
}

/** What a project starts with: a scenario, the workflow that runs it in CI, and a picker. A test runs all of it. */
export function starterFiles(version: string): readonly StarterFile[] {
  return [
    { path: "scenarios/web.yaml", text: scenario },
    { path: ".github/workflows/scenarios.yaml", text: workflow(version) },
    { path: "picker.mjs", text: picker },
  ];
}

const scenario = `# What has to hold while this Deployment is rolled out, loses a zone and is scaled down: trimtab simulate scenarios/web.yaml
# Put your own manifests in place of this one, or name their files: manifests: [../deploy/web.yaml]
apiVersion: trimtab.dev/v1alpha1
kind: Scenario
duration: 30m
manifests:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web }
    spec:
      replicas: 6
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: web, image: "web:1" }] }
events:
  - { at: 5m, setImage: { workload: deployment/web, image: "web:2" } }
  - { at: 10m, down: { zone: zone-b } }
  - { at: 20m, scale: { workload: deployment/web, replicas: 4 } }
assertions:
  # The rollout ends soon.
  - { workload: deployment/web, complete: { within: 1m }, from: 5m }
  # Whatever happens, so many Pods are ready.
  - { workload: deployment/web, readyPods: { atLeast: 3 }, from: 1m }
  # While all zones are up, they have about as many Pods each.
  - { workload: deployment/web, zoneSkew: { atMost: 2 }, until: 10m, for: 5s }
`;

const workflow = (
  version: string,
) => `# Runs the scenarios of this repository; what fails is shown beside its line in the pull request.
# The package is the file that "npm pack" makes in a clone of Trimtab, until it is on npm.
name: scenarios
on: [pull_request]
permissions: { contents: read }
jobs:
  scenarios:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install --no-save ./trimtab-${version}.tgz
      - run: npx --no-install trimtab simulate scenarios/*.yaml --seeds 20 -o github
`;

const picker = `// A pod picker: it says which Pods of a workload go when it is scaled down. Start it with node picker.mjs, and test it with
// trimtab picker check http://127.0.0.1:8080 --token-file FILE
import { createPicker } from "trimtab/picker";

const token = process.env.PICKER_TOKEN;
if (token === undefined) {
  console.error("PICKER_TOKEN must be set: callers show it, and a picker that answers anyone tells anyone who is busy");
  process.exit(1);
}

/** How much a Pod has to do, by its name; ask your application, a queue or a database instead. */
const work = new Map();

const picker = createPicker({
  score: (pod) => work.get(pod) ?? 0, // those with the least work go first
  token,
});
const { url } = await picker.listen({ port: Number(process.env.PORT ?? 8080), host: process.env.HOST ?? "127.0.0.1" });
console.log(\`the picker is at \${url}\`);
process.once("SIGTERM", () => picker.stop());
`;
