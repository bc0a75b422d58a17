import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output, printedObject } from "./printed.ts";
import type { Shell } from "./shell.ts";

const timeout = 180_000;
const web = "deployment/web";
const beforeScale = "deployment.kubernetes.io/replicaset-replicas-before-scale";

/** Creates a Deployment and waits for its first rollout. */
async function begin(shell: Shell, replicas = 2): Promise<void> {
  await output(shell, `create deployment web --image=web:1 --replicas=${replicas}`);
  await rolledOut(shell);
}

async function rolledOut(shell: Shell): Promise<void> {
  const told = await output(shell, `rollout status ${web} --timeout=30s`);
  expect(told).toMatch(/deployment "web" successfully rolled out\n$/);
}

async function setImage(shell: Shell, image: string): Promise<void> {
  expect(await output(shell, `set image ${web} web=${image}`)).toBe("deployment.apps/web image updated\n");
}

/** Runs a command that has to fail and returns its error output. */
async function refusal(shell: Shell, words: string): Promise<string> {
  const { code, err } = await shell.run(words);
  expect(code, `kubectl ${words}`).toBe(1);
  return err;
}

const image = (shell: Shell) =>
  output(shell, `get ${web} -o jsonpath={.spec.template.spec.containers[0].image}`);
const allAnnotations = (shell: Shell) =>
  output(shell, "get deployments,replicasets -o jsonpath={..annotations}");

const budgets = (maxSurge: unknown, maxUnavailable: unknown) => ({
  strategy: { rollingUpdate: { maxSurge, maxUnavailable } },
});
const nonsense: readonly { readonly spec: object; readonly says: string }[] = [
  {
    spec: { podReplacementPolicy: "Whenever" },
    says: 'spec.podReplacementPolicy: Unsupported value: "Whenever": supported values: "TerminationComplete", "TerminationStarted"',
  },
  { spec: { replicas: -1 }, says: "spec.replicas: Invalid value: -1: must be greater than or equal to 0" },
  { spec: budgets(-1, 1), says: "spec.strategy.rollingUpdate.maxSurge: Invalid value: -1" },
  {
    spec: budgets(0, "0%"),
    says: 'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  },
  {
    spec: budgets("ten", 1),
    says: 'spec.strategy.rollingUpdate.maxSurge: Invalid value: "ten": a valid percent string must be',
  },
  {
    spec: {
      selector: { matchLabels: { app: "other" } },
      template: { metadata: { labels: { app: "other" } } },
    },
    says: 'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
  },
];

describeWithKubectl(({ openNamespace }) => {
  test("a rollout is watched to its end, and its history is told", { timeout }, async () => {
    const shell = await openNamespace("rolling");
    await begin(shell, 3);
    await output(shell, `annotate ${web} kubernetes.io/change-cause=first`);
    await output(shell, `rollout pause ${web}`); // so that it is not over before it is watched
    await setImage(shell, "web:2");
    const watch = shell.begin(`rollout status ${web} --timeout=30s`);
    await watch.waitForOutput("0 out of 3 new replicas have been updated");
    await output(shell, `rollout resume ${web}`);
    await watch.waitForOutput('deployment "web" successfully rolled out');
    await output(shell, `annotate ${web} kubernetes.io/change-cause=second --overwrite`);
    await output(shell, `wait --for=jsonpath='{.status.observedGeneration}'=6 ${web} --timeout=10s`);
    const history = await output(shell, `rollout history ${web}`);
    expect(history.replaceAll(/ +/g, " ").trim()).toBe(
      "deployment.apps/web \nREVISION CHANGE-CAUSE\n1 first\n2 second",
    );
    const second = await output(shell, `rollout history ${web} --revision=2`);
    expect(second).toContain("with revision #2");
    expect(second).toMatch(/Image:\s+web:2/);
    expect(await refusal(shell, `rollout history ${web} --revision=7`)).toContain(
      "unable to find the specified revision",
    );
    expect(await refusal(shell, `rollout status ${web} --revision=1`)).toContain(
      "desired revision (1) is different from the running revision (2)",
    );
    const described = (await output(shell, `describe ${web}`)).replaceAll(/ +/g, " ");
    expect(described).toContain("Replicas: 3 desired | 3 updated | 3 total | 3 available | 0 unavailable");
    expect(described).toMatch(/Scaled up replica set web-\w+ from 0 to 3/);
  });

  test(
    "a rollout is undone: to the revision before, to a certain one, and not for nothing",
    { timeout },
    async () => {
      const shell = await openNamespace("undoing");
      await begin(shell);
      expect(await refusal(shell, `rollout undo ${web}`)).toContain(
        'no rollout history found for deployment "web"',
      );
      for (const next of ["web:2", "web:3"]) {
        await setImage(shell, next);
        await rolledOut(shell);
      }
      expect(await output(shell, `rollout undo ${web}`)).toBe("deployment.apps/web rolled back\n");
      expect(await image(shell)).toBe("web:2");
      await rolledOut(shell);
      expect(await output(shell, `rollout undo ${web} --to-revision=1`)).toBe(
        "deployment.apps/web rolled back\n",
      );
      expect(await image(shell)).toBe("web:1");
      await rolledOut(shell);
      expect(await output(shell, `rollout undo ${web} --to-revision=5`)).toContain(
        "skipped rollback (current template already matches revision 5)",
      );
      expect(await refusal(shell, `rollout undo ${web} --to-revision=9`)).toContain(
        "unable to find specified revision 9 in history",
      );
      const history = await output(shell, `rollout history ${web}`);
      expect([...history.matchAll(/^\d+/gm)].map(([revision]) => revision)).toEqual(["3", "4", "5"]);
    },
  );

  test("the note of a held-back scale travels nowhere when a rollout is undone", { timeout }, async () => {
    const shell = await openNamespace("noting");
    await begin(shell);
    const [old = ""] = (await output(shell, "get replicasets -o name")).split("\n");
    await setImage(shell, "web:2");
    await rolledOut(shell);
    await output(shell, `annotate ${old} ${beforeScale}=1 team=shop`);
    await output(shell, `rollout undo ${web}`);
    const { metadata } = await printedObject(shell, `get ${web} -o json`);
    expect(metadata).toMatchObject({ annotations: { team: "shop" } });
    expect(metadata).not.toHaveProperty(["annotations", beforeScale]);
    await rolledOut(shell);
    await output(shell, `wait --for=jsonpath='{.status.terminatingReplicas}'=0 ${web} --timeout=30s`);
    expect(await allAnnotations(shell)).not.toContain(beforeScale);
  });

  test("a rollout is paused, resumed and restarted", { timeout }, async () => {
    const shell = await openNamespace("pausing");
    await begin(shell);
    expect(await refusal(shell, `rollout resume ${web}`)).toContain("is not paused");
    expect(await output(shell, `rollout pause ${web}`)).toBe("deployment.apps/web paused\n");
    expect(await refusal(shell, `rollout pause ${web}`)).toContain("is already paused");
    expect(await refusal(shell, `rollout restart ${web}`)).toContain(
      "can't restart paused deployment (run rollout resume first)",
    );
    await setImage(shell, "web:2");
    await output(shell, `scale ${web} --replicas=3`);
    await output(shell, `wait --for=jsonpath='{.status.availableReplicas}'=3 ${web} --timeout=30s`);
    expect(await refusal(shell, `rollout undo ${web} --to-revision=1`)).toContain(
      "you cannot rollback a paused deployment",
    );
    expect((await output(shell, "get replicasets -o name")).trim().split("\n")).toHaveLength(1);
    expect(await output(shell, `rollout resume ${web}`)).toBe("deployment.apps/web resumed\n");
    await rolledOut(shell);
    expect(await output(shell, `rollout restart ${web}`)).toBe("deployment.apps/web restarted\n");
    await rolledOut(shell);
    expect(await output(shell, `rollout history ${web}`)).toMatch(/^3 /m);
  });

  test(
    "a rollout is scaled in its midst, and waits for terminating Pods if it is told to",
    { timeout },
    async () => {
      const shell = await openNamespace("scaling");
      await output(shell, "apply -f slow-ends.yaml");
      await rolledOut(shell);
      await setImage(shell, "web:2");
      // Two of four are on their way out, and hold their places.
      await output(shell, `wait --for=jsonpath='{.status.terminatingReplicas}'=2 ${web} --timeout=30s`);
      await output(shell, `scale ${web} --replicas=5`);
      await output(shell, `wait --for=jsonpath='{.status.observedGeneration}'=3 ${web} --timeout=30s`);
      const sizes = await output(shell, "get replicasets -o jsonpath={.items[*].spec.replicas}");
      const pods = (await output(shell, "get pods -o name")).trim().split("\n");
      expect(pods.length).toBeLessThanOrEqual(5);
      expect(
        sizes
          .split(" ")
          .map(Number)
          .reduce((sum, size) => sum + size, 0),
      ).toBeLessThanOrEqual(3);
      // A user who does not want to wait any longer removes the policy.
      await output(shell, `patch ${web} --type=merge -p '{"spec":{"podReplacementPolicy":null}}'`);
      await rolledOut(shell);
      expect(await allAnnotations(shell)).not.toContain(beforeScale);
    },
  );

  test("what makes no sense is refused, in words", { timeout }, async () => {
    const shell = await openNamespace("refused");
    await output(shell, "create deployment web --image=web:1");
    for (const { spec, says } of nonsense) {
      const words = `patch ${web} --type=merge -p '${JSON.stringify({ spec })}'`;
      expect(await refusal(shell, words)).toContain(`The Deployment "web" is invalid: ${says}`);
    }
  });

  test("a rollout that gets nowhere is reported as such", { timeout }, async () => {
    const shell = await openNamespace("failing");
    await output(shell, "apply -f never-ready.yaml");
    expect(await refusal(shell, `rollout status ${web} --timeout=30s`)).toContain(
      'deployment "web" exceeded its progress deadline',
    );
  });
});
