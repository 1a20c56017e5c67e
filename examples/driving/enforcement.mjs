import { createGuard, createGuardStep } from 'foreguard/guard';
import { clopperPearsonInterval, meanOf } from 'foreguard/study';
import { createDrive } from 'foreguard-worlds';

/**
 * Drives under supervision. A supervisor begins each drive with `reset`; after every observation `override(drive)` names what the
 * next step shall do instead (`brake`, `yield`) or is null; `violated` tells whether the law is broken by then.
 */
export function superviseDrives(scenario, { firstSeed, count }, supervisor) {
  return Array.from({ length: count }, (_, i) => {
    const drive = createDrive(scenario, { seed: firstSeed + i });
    supervisor.reset();
    do {
      const action = supervisor.override(drive);
      if (action !== null) drive[action]();
    } while (drive.step());
    return {
      violated: supervisor.violated,
      collided: drive.collided,
      arrived: drive.arrived,
      seconds: drive.time,
      overriddenSeconds: drive.overriddenSeconds,
    };
  });
}

/** Supervision by a guard file: where its strategy is to replace, its action is the override. */
export function guardSupervisor(guardFile) {
  const guard = createGuard(guardFile);
  const result = createGuardStep();
  return {
    reset: () => guard.reset(),
    override: (drive) => guard.stepInto(drive.state, drive, result).action,
    get violated() {
      return guard.rules[0].violated;
    },
  };
}

/** What supervision came to, against the same drives (seed by seed) without it, of which there may be more. */
export function compareDrives(supervised, free) {
  const count = (holds) => supervised.filter((drive, i) => holds(drive, free[i])).length;
  const runs = supervised.length;
  const violatedFree = count((_, then) => then.violated);
  const lost = supervised.flatMap((drive, i) =>
    drive.arrived && free[i].arrived ? [drive.seconds - free[i].seconds] : [],
  );
  return {
    runs,
    violated: clopperPearsonInterval(
      count(({ violated }) => violated),
      runs,
    ),
    unsafe: clopperPearsonInterval(
      count(({ violated, collided }) => violated || collided),
      runs,
    ),
    collided: clopperPearsonInterval(
      count(({ collided }) => collided),
      runs,
    ),
    arrived: clopperPearsonInterval(
      count(({ arrived }) => arrived),
      runs,
    ),
    /** Of the drives that break the law without supervision, those that now do not. */
    avoided: clopperPearsonInterval(
      count((now, then) => then.violated && !now.violated),
      violatedFree,
    ),
    /** Of the others, those that now do. */
    caused: clopperPearsonInterval(
      count((now, then) => !then.violated && now.violated),
      runs - violatedFree,
    ),
    collisionsAvoided: count((now, then) => then.collided && !now.collided),
    collisionsCaused: count((now, then) => !then.collided && now.collided),
    overridden: clopperPearsonInterval(
      count(({ overriddenSeconds }) => overriddenSeconds > 0),
      runs,
    ),
    overriddenSeconds: meanOf(supervised.map(({ overriddenSeconds }) => overriddenSeconds)),
    /** Over the drives that arrive both ways. */
    secondsLost: meanOf(lost),
  };
}
