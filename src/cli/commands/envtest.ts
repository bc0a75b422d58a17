import { messageOf } from "../../api/message-of.ts";
import { type Command, reportErrors } from "../command.ts";
import { ownEnvtestFolder } from "../envtest/own-envtest-folder.ts";
import { flagText } from "../flags/flag-values.ts";

export const envtest: Command = {
  name: "envtest",
  summary:
    "Print the folder of an etcd and a kube-apiserver for envtest: KUBEBUILDER_ASSETS=$(trimtab envtest).",
  flags: {
    directory: {
      type: "string",
      value: "DIR",
      help: "Where the folder of this version is written; default: ~/.cache/trimtab/envtest",
    },
  },
  run({ flags }, terminal) {
    try {
      terminal.out(ownEnvtestFolder(flagText(flags, "directory")));
      return Promise.resolve(0);
    } catch (error) {
      // The boundary of the command.
      return Promise.resolve(reportErrors(terminal, envtest, [messageOf(error)]));
    }
  },
};
