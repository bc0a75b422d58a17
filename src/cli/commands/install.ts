import { dns1123LabelProblems } from "../../api/names.ts";
import { parseAllowList } from "../../picker/addresses/address-policy.ts";
import { type Command, type Invocation, reportErrors } from "../command.ts";
import { flagText } from "../flags/flag-values.ts";
import { installable, installManifests, type InstallSettings } from "../install/install-manifests.ts";

/** Prints the manifests for `kubectl apply`, so that an operator can read them first. */
export const install: Command = {
  name: "install",
  summary: "Print the manifests that run trimtab in an existing cluster, for kubectl apply -f -.",
  flags: {
    print: { type: "boolean", help: "Print them; there is no other way yet" },
    image: { type: "string", default: "", value: "IMAGE", help: "The image with the package in it" },
    program: {
      type: "string",
      default: "steer",
      value: "NAME",
      choices: installable,
      help: "steer: beside the stock controllers; controllers: in place of them; scheduler: beside kube-scheduler",
    },
    namespace: { type: "string", default: "trimtab", value: "NAME", help: "The namespace it runs in" },
    "picker-allow": {
      type: "string",
      multiple: true,
      value: "HOST|CIDR",
      help: "A host or network where pod pickers may be; may be repeated. Without it they are not asked",
    },
  },
  run(invocation, terminal) {
    const settings = readSettings(invocation);
    if (!("image" in settings)) return Promise.resolve(reportErrors(terminal, install, settings));
    terminal.out(installManifests(settings).trimEnd());
    return Promise.resolve(0);
  },
};

function readSettings({ flags }: Invocation): InstallSettings | readonly string[] {
  const [image = "", namespace = "", wanted] = ["image", "namespace", "program"].map((name) =>
    flagText(flags, name),
  );
  const program = installable.find((name) => name === wanted);
  const pickers = [flags["picker-allow"] ?? []].flat().map(String);
  const problems = [
    ...(flags["print"] === true
      ? []
      : ["only --print is there: it prints the manifests for kubectl apply -f -"]),
    ...(image === "" ? ["--image must name the image with the package in it; it has no default"] : []),
    ...(program === undefined ? [`--program must be one of ${installable.join(", ")}`] : []),
    ...dns1123LabelProblems(namespace).map((problem) => `--namespace: ${problem}`),
    ...pickerProblems(pickers, program).map((problem) => `--picker-allow: ${problem}`),
  ];
  if (problems.length > 0 || program === undefined) return problems;
  return { image, namespace, program, pickers };
}

function pickerProblems(
  pickers: readonly string[],
  program: InstallSettings["program"] | undefined,
): readonly string[] {
  if (program === "scheduler" && pickers.length > 0) return ["the scheduler asks no pickers"];
  const allowed = parseAllowList(pickers);
  return allowed.ok ? [] : allowed.problems;
}
