import type { JSX } from "preact";
import { formatDuration } from "../../src/api/duration.ts";
import type { ReportData, ReportedFile } from "../../src/cli/simulate/report-data.ts";
import type { ScenarioResult } from "../../src/simulation/scenario-run/scenario-result.ts";
import { ComparisonTable } from "./comparison-table.tsx";
import { RemovedPodsTable } from "./removed-pods-table.tsx";
import { AssertionList, ScenarioEvents, WorkloadTable } from "./run-tables.tsx";
import { WorkloadCharts } from "./workload-charts.tsx";

/** The report of one or more scenarios, or of two that were compared. */
export function ReportPage({ data: { files, comparison } }: { readonly data: ReportData }): JSX.Element {
  const letters = comparison === undefined ? [] : ["a", "b"];
  const results = files.flatMap(({ result }) => result ?? []);
  const runs = files.flatMap(({ result }, index) => {
    const letter = letters[index];
    return result === undefined ? [] : [{ result, label: letter ?? result.scenario }];
  });
  return (
    <main>
      <header>
        <p class="brand">Trimtab report</p>
        {files.map((file, index) => (
          <FileHead key={index} file={file} letter={letters[index]} />
        ))}
      </header>
      {comparison !== undefined && <ComparisonTable comparison={comparison} />}
      {files.map((file, index) => (
        <FileSummary key={index} file={file} letter={letters[index]} />
      ))}
      {workloadsOf(results).map((workload) => (
        <section key={workload} aria-label={workload}>
          <h2>{workload}</h2>
          <WorkloadCharts runs={runs} workload={workload} isCompared={comparison !== undefined} />
        </section>
      ))}
      {files.map((file, index) => (
        <FileDetails key={index} file={file} letter={letters[index]} />
      ))}
    </main>
  );
}

interface FileProps {
  readonly file: ReportedFile;
  readonly letter: string | undefined;
}

function FileHead({ file, letter }: FileProps): JSX.Element {
  const { scenario, seeds, failingSeeds } = file;
  const hasPassed = failingSeeds.length === 0;
  return (
    <div class="file-head">
      <h1>
        {letter !== undefined && <span class="letter">{letter}</span>} {scenario}
      </h1>
      <p>
        <strong class={hasPassed ? "good" : "bad"}>{hasPassed ? "pass" : "fail"}</strong> {seedsText(file)}{" "}
        <span class="quiet">{file.file}</span>
      </p>
      {!hasPassed && seeds > 1 && <p>Failing seeds: {failingSeeds.join(", ")}</p>}
    </div>
  );
}

function seedsText({ seeds, failingSeeds, result }: ReportedFile): string {
  if (result === undefined) return `${seeds - failingSeeds.length} of ${seeds} seeds pass`;
  const count = seeds === 1 ? `seed ${result.seed}` : `${seeds - failingSeeds.length} of ${seeds} seeds pass`;
  return `${count}, ${formatDuration(result.durationSeconds * 1000)}`;
}

/** What a run came to: its workloads and assertions, before the plots show how. */
function FileSummary({ file: { scenario, result }, letter }: FileProps): JSX.Element | null {
  if (result === undefined) return null;
  const name = letter === undefined ? scenario : `${letter}: ${scenario}`;
  return (
    <section class="run-summary" aria-label={`Summary of ${name}`}>
      {letter !== undefined && <h2>{name}</h2>}
      <WorkloadTable result={result} />
      <AssertionList result={result} />
    </section>
  );
}

function FileDetails({ file: { scenario, seeds, result, error }, letter }: FileProps): JSX.Element {
  const name = letter === undefined ? scenario : `${letter}: ${scenario}`;
  if (result === undefined)
    return (
      <section>
        <h2>{name}</h2>
        <p class="bad">The simulation failed: {error}</p>
      </section>
    );
  return (
    <section class="run" aria-label={name} data-scenario={scenario}>
      <h2>
        {name}
        {seeds > 1 && <span class="quiet"> (plots and tables are of seed {result.seed})</span>}
      </h2>
      <ScenarioEvents result={result} />
      <RemovedPodsTable removed={result.removedPods} />
    </section>
  );
}

/** The workloads of all runs, each once, in their order. */
function workloadsOf(results: readonly ScenarioResult[]): readonly string[] {
  return [...new Set(results.flatMap(({ series }) => Object.keys(series?.workloads ?? {})))];
}
