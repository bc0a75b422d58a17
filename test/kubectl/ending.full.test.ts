import { findKubectls } from "./kubectls.ts";
import { describeSessions } from "./kubectl-sessions.contract.ts";
import { endingSessions, lengthySessions } from "./sessions/ending.cases.ts";

describeSessions([...endingSessions, ...lengthySessions], findKubectls());
