// Owns which services are in charge of this process: made on first use, kept over /new, /resume and /fork, succeeded on
// /reload, ended on quit or when the host does not come back with a session.

import type { Clock, Timer } from "../core/platform/clock.ts";
import type { Log } from "../core/platform/log.ts";
import type { ProcessState } from "./host/process-state.ts";
import type { Services } from "./services.ts";

/** A host that has replaced its session tells us so well within this time. */
const ABSENT_HOST_MS = 10_000;

export interface ServicesHolder {
  /** Those in charge, made now if there are none. */
  get(): Promise<Services>;
  /** Whether some are in charge, or being made. */
  has(): boolean;
  /** Puts this load's services in place of those of the load before it; a running server goes on. */
  succeed(): Promise<void>;
  /** The session went away to be replaced: unless one comes back, everything ends. */
  awaitSession(): void;
  sessionIsBack(): void;
  end(reason: string): Promise<void>;
}

export interface HolderDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Hears of new services before anybody can use them. */
  readonly onMade?: (services: Services) => void;
}

export function createServicesHolder(state: ProcessState, { clock, log, onMade }: HolderDeps): ServicesHolder {
  const make = (before?: Services): Promise<Services> => {
    const made = import("./services.ts").then(async ({ createServices }) => {
      const services = await createServices({
        host: state.host,
        clock,
        log,
        ...(before === undefined ? {} : { before }),
      });
      onMade?.(services);
      return services;
    });
    state.services = made;
    // The next use tries again; whoever waits for this one gets the error.
    made.catch(() => {
      if (state.services === made) state.services = undefined;
    });
    return made;
  };
  const stopWaiting = (): void => {
    state.absence?.stop();
    state.absence = undefined;
  };
  const end = async (reason: string): Promise<void> => {
    stopWaiting();
    const ending = state.services;
    state.services = undefined;
    if (ending !== undefined) await (await ending).stop(reason);
  };
  return {
    get: () => state.services ?? make(),
    has: () => state.services !== undefined,
    async succeed() {
      const before = await state.services;
      if (before === undefined) return;
      const wasServing = before.server.isOn();
      const after = await make(before);
      if (wasServing) await after.server.start();
    },
    awaitSession() {
      stopWaiting();
      // Those that could not be made have nothing to pause.
      state.services?.then(({ dispatched }) => dispatched.pause()).catch(() => undefined);
      const give = (): void => {
        end("the Pi session that ran this task went away").catch((error: unknown) =>
          log.fault("ending the services", error),
        );
      };
      state.absence = clock.after(ABSENT_HOST_MS, give) satisfies Timer;
    },
    sessionIsBack: stopWaiting,
    end,
  };
}
