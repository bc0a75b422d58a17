import { expect, test } from "vitest";
import { widgetDefinition } from "../clients/widgets.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

const widget = (spec: object) =>
  JSON.stringify({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" }, spec });

describeWithKubectl(({ openNamespace }) => {
  test("kubectl reads, changes and waits for objects of a custom kind", { timeout: 240_000 }, async () => {
    const shell = await openNamespace("widgets");
    await output(shell, "apply --server-side -f -", JSON.stringify(widgetDefinition));
    await output(shell, "wait --for=condition=established crd/widgets.example.com --timeout=30s");
    expect(await output(shell, "api-resources --api-group=example.com")).toMatch(
      /^NAME.*\nwidgets +wd +example.com\/v1 +true +Widget\n$/,
    );
    expect(await output(shell, "explain wd --recursive")).toMatch(/ size\t<integer> -required-/);
    expect(await output(shell, "apply -f -", widget({ size: 3 }))).toBe("widget.example.com/a created\n");

    const diff = await shell.run("diff -f -", { input: widget({ size: 4 }) });
    expect([diff.code, diff.out]).toEqual([1, expect.stringMatching(/\n- {2}size: 3\n\+ {2}size: 4\n/)]);
    expect((await shell.run("diff -f -", { input: widget({ size: 3 }) })).code).toBe(0);

    const edited = await shell.run("edit wd a", { editor: "sed -i s/red/green/" });
    expect([edited.code, edited.out]).toEqual([0, "widget.example.com/a edited\n"]);
    expect(await output(shell, "describe wd a")).toMatch(/Kind: +Widget\n[^]*Spec:\n +Colour: +green\n/);
    expect(await output(shell, "scale wd/a --replicas=7 --current-replicas=3")).toBe(
      "widget.example.com/a scaled\n",
    );
    expect(await output(shell, "wait --for=jsonpath={.spec.size}=7 wd/a --timeout=30s")).toBe(
      "widget.example.com/a condition met\n",
    );

    const conflict = await shell.run("apply --server-side -f -", { input: widget({ size: 8 }) });
    expect(conflict.err).toMatch(/conflict.* with "kubectl.*\.spec\.size/s);
    const forced = await shell.run("apply --server-side --force-conflicts -f -", {
      input: widget({ size: 8 }),
    });
    expect(forced.out).toBe("widget.example.com/a serverside-applied\n");
    const condition = '{"type":"Ready","status":"True"}';
    const status = `patch wd a --subresource=status --type=merge -p '{"status":{"conditions":[${condition}]}}'`;
    expect(await output(shell, status)).toBe("widget.example.com/a patched\n");
    expect(await output(shell, "wait --for=condition=Ready wd/a --timeout=30s")).toBe(
      "widget.example.com/a condition met\n",
    );
    expect(await output(shell, "get wd a -o jsonpath={.spec}")).toBe('{"colour":"green","size":8}');
    expect(await output(shell, "delete wd --all -o name")).toBe("widget.example.com/a\n");
  });
});
