import type { GuardFile } from './guardFile.js';
import { History } from './history.js';
import type { Observation } from './observer.js';
import type { LostSteps } from './recordedStep.js';
import type { RuleMonitor } from './ruleMonitor.js';

/** All rules of a guard along one run, with the steps they have read. */
export class RuleRun {
  /** In the order of the file. */
  readonly watches: readonly RuleMonitor[];
  readonly history: History;
  /** The step at hand came too early. */
  #isEarly = false;

  /** @param Watch the monitor of one rule: one that also compares a risk, if the file has a model */
  constructor(file: GuardFile, Watch: typeof RuleMonitor) {
    this.watches = file.rules.map((rule) => new Watch(rule, file));
    this.history = new History(
      Math.max(1, Math.ceil(file.predicates.length / 32)),
      file.rules.map(({ automaton }) => automaton),
      file.rules.map(({ pastSteps = 0 }) => pastSteps ?? Infinity),
    );
  }

  reset(): void {
    this.history.reset();
    this.#isEarly = false;
    for (const watch of this.watches) watch.reset();
  }

  /** The rules read an observation as one step; nothing is decided yet. */
  read(observation: Observation): void {
    const { watches, history } = this;
    history.record(observation);
    for (let r = 0; r < watches.length; r++) {
      const watch = watches[r];
      if (this.#isEarly) watch.readEarly(observation);
      else watch.read(observation);
      history.follow(r, watch.automatonState, watch.verdict);
    }
  }

  /**
   * Begins a step after missing ones of which nothing is known: afterwards only conclusions that hold for any such steps are certain. A step that came too
   * early counts as one more, or in place of the one before.
   */
  begin(lost: LostSteps): void {
    this.#isEarly = lost === 'early';
    if (lost === 'early') this.history.loseTrack(true);
    else if (typeof lost === 'number') for (let i = 0; i < lost; i++) this.#loseStep();
    else this.#loseTrack(lost === 'anywhere');
  }

  #loseStep(): void {
    this.history.recordMissing();
    this.watches.forEach((watch, r) => {
      watch.readMissing();
      this.history.follow(r, watch.automatonState, watch.verdict);
    });
  }

  #loseTrack(anywhere: boolean): void {
    this.history.loseTrack();
    this.watches.forEach((watch, r) => {
      watch.loseTrack(anywhere);
      this.history.follow(r, watch.automatonState, watch.verdict);
    });
  }

  /** The rules read a possible next step; `restore` forgets it. */
  readAhead(observation: Observation): void {
    for (const watch of this.watches) watch.read(observation);
  }

  /** Saves the rules' positions, before a step that may have to be read again. */
  save(): void {
    this.history.save();
    for (const watch of this.watches) watch.save();
  }

  /** Returns to the position before that step. */
  restore(): void {
    this.history.restore();
    for (const watch of this.watches) watch.restore();
  }

  /** Forgets the violations of these rules; returns the names of those that were violated. */
  excuse(names: readonly string[]): string[] {
    const excused: string[] = [];
    this.watches.forEach((watch, r) => {
      if (!names.includes(watch.name) || !watch.violated) return;
      watch.excuse();
      // The steps that are kept would still show the violation.
      this.history.loseTrack();
      this.history.follow(r, watch.automatonState, watch.verdict);
      excused.push(watch.name);
    });
    return excused;
  }

  /** Tells the rules whether the call that they decide on is of a safe tool. */
  isSafe(isSafe: boolean): void {
    for (let r = 0; r < this.watches.length; r++) this.watches[r].isSafe = isSafe;
  }

  /** Tells the rules whether another call of the same turn was refused before. */
  isSibling(isSibling: boolean): void {
    for (let r = 0; r < this.watches.length; r++) this.watches[r].isSibling = isSibling;
  }

  /** Marks the last step read as decided. */
  close(): void {
    for (const watch of this.watches) watch.close();
  }
}
