import { expect, test } from "vitest";
import { AdjustableClock } from "../../src/machinery/clock/adjustable-clock.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import type { Shell } from "./shell.ts";

const web = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    sim.trimtab.dev/load: |
      cpu: { total: 2 }
      memory: { perPod: 64Mi }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: app
          image: app:1
          resources: { requests: { cpu: "1" } }
`;

async function succeed(shell: Shell, words: string, input?: string): Promise<string> {
  const { code, out, err } = await shell.run(words, { input });
  expect([words, code, err]).toEqual([words, 0, ""]);
  return out;
}

/**
 * The wall clock, moved forward by the same minutes however slow the machine is: kubectl does not accept certificates of
 * a cluster whose clock is an hour ahead, and the clusters of all kubectls share this one.
 */
const clock = new AdjustableClock();

describeWithKubectl(
  ({ openNamespace }) => {
    test(
      "kubectl autoscale, top, get and describe show what an autoscaler sees",
      { timeout: 120_000 },
      async () => {
        const shell = await openNamespace("autoscaling");
        const run = (words: string, input?: string) => succeed(shell, words, input);
        await run("apply -f -", web);
        const { code, out } = await shell.run("autoscale deployment web --min 2 --max 10 --cpu-percent 50");
        expect([code, out]).toEqual([0, "horizontalpodautoscaler.autoscaling/web autoscaled\n"]);
        // An autoscaler looks every 15 seconds: at 1 Pod, at 2, and at the 4 that 2 cores at half a core each need.
        await clock.advance(120_000);
        await run("wait --for=jsonpath={.spec.replicas}=4 deployment/web --timeout=60s");
        await run("rollout status deployment/web --timeout=60s");
        await clock.advance(60_000); // every Pod is measured, and the autoscaler has looked
        await run(
          "wait --for=jsonpath={.status.currentMetrics[0].resource.current.averageUtilization}=50 hpa/web --timeout=60s",
        );
        expect(await run("get hpa web")).toMatch(/^web +Deployment\/web +(cpu: )?50%\/50% +2 +10 +4 /m);
        const described = await run("describe hpa web");
        expect(described).toMatch(
          /resource cpu on pods +\(as a percentage of request\): +50% \(500m\) \/ 50%/,
        );
        expect(described).toMatch(/ScalingActive +True +ValidMetricFound/);
        expect(described).toMatch(/SuccessfulRescale +.*New size: 4; reason: cpu resource utilization/);
        expect(await run("top pods")).toMatch(/^(web-\S+ +500m +64Mi +\n){4}/m);
        expect(await run("top pods --containers -l app=web")).toMatch(/^web-\S+ +app +500m +64Mi/m);
        expect(await run("top nodes")).toMatch(/^node-1 +\S+ +\d+% +\S+ +\d+% *$/m);
        expect(await run("get --raw /apis/metrics.k8s.io/v1beta1/namespaces/autoscaling/pods")).toContain(
          '"window":"15s"',
        );
      },
    );

    test("kubectl is told why a policy is impossible", async () => {
      const shell = await openNamespace("impossible");
      const policy = '{"type":"Pods","value":0,"periodSeconds":1801}';
      const autoscaler = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
        "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"maxReplicas":3,
        "behavior":{"scaleDown":{"policies":[${policy}]}}}}`;
      const { code, err } = await shell.run("create -f -", { input: autoscaler });
      expect(code).toBe(1);
      expect(err).toContain(
        "spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero",
      );
      expect(err).toContain(
        "spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less",
      );
    });
  },
  { clock },
);
