import { expect, test } from "vitest";
import { parseConfiguration } from "./picker-serve-settings.ts";

const head = "apiVersion: trimtab.dev/v1alpha1\nkind: PickerConfiguration\n";

test("ten lines are a configuration", () => {
  const read = parseConfiguration(`${head}pickers:
  - name: workers
    workload: { namespace: shop, name: worker }
    score:
      prometheus:
        url: http://prometheus.monitoring.svc:9090
        query: sum by (pod) (celery_active_tasks{namespace="$namespace",pod=~"$pods"})
    protect: "> 0"
`);
  expect(read).toMatchObject({ ok: true });
});

test("all mistakes are told at once, with their place, their path and what was meant", () => {
  const read = parseConfiguration(
    `${head}pickers:
  - name: Workers
    workload: { namespace: shop, name: worker }
    selector: { matchLabels: { app: x } }
    score:
      prometheus:
        url: ftp://prometheus
        query: up{namespace="$namspace"}
        podLable: pod
    protect: "much"
    timeout: 1h
    onEror: ignore
  - name: both
    workload: { namespace: shop, name: web }
    score: { annotation: { key: "a b" }, podHttp: { port: 0, path: x, pointer: queue } }
    missing: middle
    onError: protect
  - name: both
    selector: {}
    score: {}
`,
    "pickers.yaml",
  );
  expect(read.ok ? [] : read.problems).toMatchInlineSnapshot(`
    [
      "pickers.yaml:4:11: pickers[0].name: Invalid value: "Workers": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      "pickers.yaml:6:15: pickers[0].selector: Forbidden: may not be there together with workload",
      "pickers.yaml:9:14: pickers[0].score.prometheus.url: Invalid value: "ftp://prometheus": must be a URL, such as http://prometheus.monitoring.svc:9090",
      "pickers.yaml:10:16: pickers[0].score.prometheus.query: Invalid value: "up{namespace=\\"$namspace\\"}": there is no variable $namspace; did you mean $namespace?",
      "pickers.yaml:11:19: pickers[0].score.prometheus.podLable: Forbidden: unknown field; did you mean "podLabel"?",
      "pickers.yaml:12:14: pickers[0].protect: Invalid value: "much": must be a comparison with a number, such as > 0, >= 1 or == 1",
      "pickers.yaml:13:14: pickers[0].timeout: Invalid value: "1h": must be a duration from 1ms to 30s",
      "pickers.yaml:14:13: pickers[0].onEror: Forbidden: unknown field; did you mean "onError"?",
      "pickers.yaml:17:26: pickers[1].score.annotation: Forbidden: may not be there together with podHttp",
      "pickers.yaml:17:33: pickers[1].score.annotation.key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "pickers.yaml:17:59: pickers[1].score.podHttp.port: Invalid value: 0: must be a whole number from 1 to 65535",
      "pickers.yaml:17:68: pickers[1].score.podHttp.path: Invalid value: "x": must begin with / and have no spaces or #",
      "pickers.yaml:17:80: pickers[1].score.podHttp.pointer: Invalid value: "queue": must be a JSON pointer, such as /queue/length",
      "pickers.yaml:18:14: pickers[1].missing: Unsupported value: "middle": supported values: "first", "last"",
      "pickers.yaml:19:14: pickers[1].onError: Invalid value: "protect": needs protect, which says whom to protect otherwise",
      "pickers.yaml:20:11: pickers[2].name: Duplicate value: "both"",
      "pickers.yaml:22:12: pickers[2].score: Required value: needs one of prometheus, podMetrics, podHttp, resourceMetrics, customMetrics, annotation",
    ]
  `);
});

test("a password in a URL is refused without being shown", () => {
  const read = parseConfiguration(`${head}pickers:
  - name: workers
    workload: { namespace: shop, name: worker }
    score: { prometheus: { url: "https://me:sesame@prometheus", query: up } }
`);
  const problems = read.ok ? "" : read.problems.join();
  expect(problems).toContain("must have no password: use basicAuth, whose password is in a file");
  expect(problems).not.toContain("sesame");
});
