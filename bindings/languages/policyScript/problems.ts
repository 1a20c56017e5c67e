import type { Place } from '../expression/index.js';

/** An error in a script; lines and columns count from 1. */
export interface ScriptProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly expected: string;
}

/** Most problems that are recorded of one script. */
const MOST_PROBLEMS = 100;

/** Says that reading stops: a problem has been recorded that leaves nothing to read on. */
export class Unreadable extends Error {}

/** Collects what is wrong with a script, so that one run reports all of it. */
export class ScriptProblems {
  readonly found: ScriptProblem[] = [];

  /** Records a problem, once at each place. @throws Unreadable once there are too many */
  add({ line, column }: Place, found: string, expected: string): void {
    if (this.found.some((one) => one.line === line && one.column === column)) return;
    this.found.push({ line, column, message: `found ${found}, expected ${expected}`, expected });
    if (this.found.length >= MOST_PROBLEMS) throw new Unreadable();
  }

  /** @throws Unreadable */
  stop(place: Place, found: string, expected: string): never {
    this.add(place, found, expected);
    throw new Unreadable();
  }

  inOrder(): readonly ScriptProblem[] {
    return [...this.found].sort((a, b) => a.line - b.line || a.column - b.column);
  }
}
