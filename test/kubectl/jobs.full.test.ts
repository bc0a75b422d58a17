import { describeSessions } from "./describe-sessions.ts";
import { jobSessions } from "./jobs.cases.ts";

describeSessions(jobSessions);
