import { newestKubectl } from "./kubectls.ts";
import { describeSessions } from "./kubectl-sessions.contract.ts";
import { writingSessions } from "./sessions/writing.cases.ts";

describeSessions(writingSessions, newestKubectl());
