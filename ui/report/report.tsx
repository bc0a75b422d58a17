import { render } from "preact";
import type { ReportData } from "../../src/cli/simulate/report-data.ts";
import { ReportPage } from "./report-page.tsx";
import "./report.css";

const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}") as ReportData;
const root = document.querySelector("#report");
if (root !== null) {
  document.title = `${data.files.map(({ scenario }) => scenario).join(" and ")} - Trimtab report`;
  render(<ReportPage data={data} />, root);
}
