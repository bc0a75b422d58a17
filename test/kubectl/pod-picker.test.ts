import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { endpointAnnotation } from "../../src/api/well-known.ts";
import { startHttpPicker } from "../picker/http-picker.ts";
import type { ScriptedPicker } from "../picker/scripted-picker.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

const proposal = readFileSync(new URL("../picker/proposal.yaml", import.meta.url), "utf8");
const host = "my-app.my-namespace.svc.cluster.local";

const now = new WallClock().now();
const random = seededRandom("pod picker");
const authority = createCertificateAuthority(now, random.fork("authority"));
const subject = { commonName: "picker" };
const tls = issueCertificate(authority, { subject, use: "server", hosts: [host], now, random });

let picker: ScriptedPicker;
beforeAll(async () => {
  picker = await startHttpPicker(
    ({ candidates }) => ({ does: "answer", chosen: candidates.slice(1, 2) }),
    tls,
  );
});
afterAll(() => picker.close());

describeWithKubectl(
  ({ openNamespace }) => {
    test(
      "the proposal's manifest is applied as it is, and its picker decides",
      { timeout: 180_000 },
      async () => {
        const shell = await openNamespace("my-namespace");
        await output(shell, "create secret generic my-secret --from-literal=authentication-token=sesame");
        await output(shell, "create service clusterip my-app --tcp=443");
        await output(shell, `annotate service my-app ${endpointAnnotation}=127.0.0.1:${picker.port}`);
        await output(shell, "apply -f -", proposal);
        const until =
          "wait --for=jsonpath='{.status.readyReplicas}'=3 replicaset/my-replicaset --timeout=20s";
        await output(shell, until);
        const names = (await output(shell, "get pods -o name")).trim().split("\n").toSorted();
        await output(shell, "scale replicaset my-replicaset --replicas=2");
        const events = shell.begin("get events --watch --field-selector=reason=SuccessfulDelete");
        await events.waitForOutput("Deleted pod");
        await events.interrupt();
        expect(picker.received).toMatchObject([{ requested: 1, headers: { authentication: "sesame" } }]);

        const chosen = `Deleted pod: ${names[1]?.replace("pod/", "")} \\(picker: chosen, my-replicaset-\\S+ is not named\\)`;
        expect(await output(shell, "describe replicaset my-replicaset")).toMatch(new RegExp(chosen));
        const raw = "get --raw /debug/decisions?namespace=my-namespace&name=my-replicaset";
        expect(JSON.parse(await output(shell, raw))).toMatchObject({
          removals: [{ removing: 1, of: 3, picker: { outcome: "Ranked", attempts: 1, used: true } }],
        });
      },
    );
  },
  { pickers: { ca: authority.certificate, allowed: emptyAllowList } },
);
